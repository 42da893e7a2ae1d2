import { describe, expect, it } from 'vitest';
import { admin, visitor } from './support/people';
import { bucket, fresh, index } from './support/vectors';

describe('storage.vector_buckets.create_vector_bucket', () => {
  it('makes a bucket once, for the service role alone', async () => {
    const name = await bucket();
    expect((await admin().storage.vectors.createBucket(name)).error).toMatchObject({
      name: 'StorageVectorsApiError',
      status: 409,
      statusCode: '409',
      message: `vector bucket "${name}" already exists`,
    });
    expect((await visitor().storage.vectors.createBucket(fresh('bucket'))).error).toMatchObject({
      status: 403,
      message: 'Access denied: Invalid role',
    });
    const { data } = await admin().storage.vectors.getBucket(name);
    expect(data?.vectorBucket.vectorBucketName).toBe(name);
    expect(data?.vectorBucket.creationTime).toBeGreaterThan(1_700_000_000);
  });
});

describe('storage.vector_buckets.list_vector_buckets', () => {
  it('pages through those of a prefix', async () => {
    const prefix = fresh('page');
    for (const end of ['a', 'b', 'c']) await admin().storage.vectors.createBucket(`${prefix}-${end}`);
    const first = await admin().storage.vectors.listBuckets({ prefix, maxResults: 2 });
    expect(first.data?.vectorBuckets.map((found) => found.vectorBucketName)).toEqual([
      `${prefix}-a`,
      `${prefix}-b`,
    ]);
    const nextToken = first.data?.nextToken;
    const second = await admin().storage.vectors.listBuckets({ prefix, maxResults: 2, nextToken });
    expect(second.data?.vectorBuckets.map((found) => found.vectorBucketName)).toEqual([`${prefix}-c`]);
    expect(second.data?.nextToken).toBeUndefined();
  });
});

describe('storage.vector_buckets.delete_vector_bucket', () => {
  it('deletes an empty one, and keeps one with an index', async () => {
    const { of, vectorBucketName, indexName } = await index('cosine', []);
    const { deleteBucket, getBucket } = {
      deleteBucket: () => admin().storage.vectors.deleteBucket(vectorBucketName),
      getBucket: () => admin().storage.vectors.getBucket(vectorBucketName),
    };
    expect((await deleteBucket()).error).toMatchObject({ status: 400 });
    await of.deleteIndex(indexName);
    expect(await deleteBucket()).toEqual({ data: {}, error: null });
    expect((await getBucket()).error).toMatchObject({
      status: 404,
      message: `resource "${vectorBucketName}" not found`,
    });
  });
});

describe('storage.vector_buckets.create_index', () => {
  it('makes an index once, of names and sizes that may be', async () => {
    const { of, indexName } = await index('cosine', []);
    const wanted = {
      indexName,
      dataType: 'float32' as const,
      dimension: 2,
      distanceMetric: 'cosine' as const,
    };
    expect((await of.createIndex(wanted)).error).toMatchObject({ status: 409 });
    expect((await of.createIndex({ ...wanted, indexName: 'No' })).error).toMatchObject({ status: 400 });
    expect((await of.createIndex({ ...wanted, indexName: 'large', dimension: 4097 })).error).toMatchObject({
      message: 'body/dimension must be <= 4096',
    });
  });
});

describe('storage.vector_buckets.get_index', () => {
  it('tells what it was made with', async () => {
    const { of, vectorBucketName, indexName } = await index('cosine', []);
    expect((await of.getIndex(indexName)).data?.index).toEqual({
      indexName,
      vectorBucketName,
      dataType: 'float32',
      dimension: 2,
      distanceMetric: 'cosine',
      metadataConfiguration: { nonFilterableMetadataKeys: ['plot'] },
      creationTime: expect.any(Number) as number,
    });
    expect((await of.getIndex('nowhere')).error).toMatchObject({ status: 404 });
  });
});

describe('storage.vector_buckets.list_indexes', () => {
  it('lists those of the bucket', async () => {
    const { of, indexName } = await index('cosine', []);
    expect((await of.listIndexes()).data?.indexes.map((found) => found.indexName)).toEqual([indexName]);
    expect((await of.listIndexes({ prefix: 'other' })).data).toEqual({ indexes: [] });
  });
});

describe('storage.vector_buckets.delete_index', () => {
  it('takes its vectors along', async () => {
    const { of, indexName, index: films } = await index();
    expect(await of.deleteIndex(indexName)).toEqual({ data: {}, error: null });
    expect((await films.getVectors({ keys: ['heat'] })).error).toMatchObject({ status: 404 });
  });
});
