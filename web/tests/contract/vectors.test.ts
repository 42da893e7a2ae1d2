import { describe, expect, it } from 'vitest';
import { FILMS, index, keys } from './support/vectors';

describe('storage.vector_buckets.access_vector_index', () => {
  it('speaks to one index of one bucket', async () => {
    const [one, other] = [await index(), await index('euclidean', [])];
    expect(keys(await one.index.listVectors())).toEqual(['alien', 'amelie', 'heat']);
    expect(keys(await other.index.listVectors())).toEqual([]);
  });
});

describe('storage.vector_buckets.put_vectors', () => {
  it('stores all or none, and replaces what is there', async () => {
    const { index: films } = await index();
    const wrong = [
      { key: 'new', data: { float32: [1, 1] } },
      { key: 'short', data: { float32: [1] } },
    ];
    expect((await films.putVectors({ vectors: wrong })).error).toMatchObject({
      status: 400,
      message: "Invalid record for key 'short': vector must have length 2, but has length 1",
    });
    await films.putVectors({ vectors: [{ key: 'heat', data: { float32: [0.5, -0.25] } }] });
    const { data } = await films.getVectors({
      keys: ['new', 'heat'],
      returnData: true,
      returnMetadata: true,
    });
    expect(data?.vectors).toEqual([{ key: 'heat', data: { float32: [0.5, -0.25] }, metadata: {} }]);
  });
});

describe('storage.vector_buckets.get_vectors', () => {
  it('tells of vectors what is asked for', async () => {
    const { index: films } = await index();
    expect((await films.getVectors({ keys: ['amelie', 'nobody'] })).data).toEqual({
      vectors: [{ key: 'amelie' }],
    });
    const whole = await films.getVectors({ keys: ['alien'], returnData: true, returnMetadata: true });
    expect(whole.data?.vectors).toEqual([FILMS[0]]);
  });
});

describe('storage.vector_buckets.list_vectors', () => {
  it('pages through all of them', async () => {
    const { index: films } = await index();
    const first = await films.listVectors({ maxResults: 2, returnMetadata: true });
    expect(first.data?.vectors[1]).toEqual({ key: 'amelie', metadata: FILMS[1]?.metadata });
    const second = await films.listVectors({ maxResults: 2, nextToken: first.data?.nextToken });
    expect(second.data).toEqual({ vectors: [{ key: 'heat' }] });
  });
});

describe('storage.vector_buckets.parallel_scan', () => {
  it('finds each vector in one segment', async () => {
    const vectors = Array.from({ length: 40 }, (_, n) => ({
      key: `k${n}`,
      data: { float32: [n, 1] },
      metadata: {},
    }));
    const { index: many } = await index('euclidean', vectors as never);
    const parts = await Promise.all(
      [0, 1, 2, 3].map((segmentIndex) => many.listVectors({ segmentCount: 4, segmentIndex })),
    );
    const found = parts.flatMap((part) => keys(part) ?? []);
    expect(found).toHaveLength(40);
    expect(new Set(found).size).toBe(40);
  });
});

describe('storage.vector_buckets.query_vectors', () => {
  it('finds the nearest that fit a filter, with their distances', async () => {
    const { index: films } = await index();
    const queryVector = { float32: [0, 0] };
    const found = await films.queryVectors({ queryVector, topK: 2, returnDistance: true });
    expect(found.data).toEqual({
      vectors: [
        { key: 'alien', distance: 1 },
        { key: 'amelie', distance: 1 },
      ],
      distanceMetric: 'euclidean',
    });
    const filter = { $or: [{ genre: 'sf' }, { year: { $gte: 1990, $lt: 2000 } }] };
    const few = await films.queryVectors({ queryVector, topK: 10, filter, returnMetadata: true });
    expect(few.data?.vectors).toEqual([
      { key: 'alien', metadata: FILMS[0]?.metadata },
      { key: 'heat', metadata: FILMS[2]?.metadata },
    ]);
    expect(
      (await films.queryVectors({ queryVector, topK: 1, filter: { plot: 'long' } })).error,
    ).toMatchObject({
      message: 'Metadata key "plot" is configured as non-filterable',
    });
  });

  it('measures angles where the metric is cosine', async () => {
    const { index: films } = await index('cosine');
    const found = await films.queryVectors({
      queryVector: { float32: [6, 8] },
      topK: 1,
      returnDistance: true,
    });
    expect(found.data?.vectors[0]?.key).toBe('heat');
    expect(found.data?.vectors[0]?.distance).toBeCloseTo(0, 6);
  });
});

describe('storage.vector_buckets.delete_vectors', () => {
  it('deletes those that are there', async () => {
    const { index: films } = await index();
    expect(await films.deleteVectors({ keys: ['alien', 'nobody'] })).toEqual({ data: {}, error: null });
    expect(keys(await films.listVectors())).toEqual(['amelie', 'heat']);
  });
});
