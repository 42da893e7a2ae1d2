// Vector buckets, indexes and vectors of a test's own.
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { admin } from './people';

export const fresh = (kind: string): string => `${kind}-${randomUUID().slice(0, 8)}`;
export const FILMS = [
  {
    key: 'alien',
    data: { float32: [1, 0] },
    metadata: { genre: ['horror', 'sf'], year: 1979, plot: 'long' },
  },
  { key: 'amelie', data: { float32: [0, 1] }, metadata: { genre: 'comedy', year: 2001 } },
  { key: 'heat', data: { float32: [3, 4] }, metadata: { genre: 'crime', year: 1995 } },
];

export async function bucket(): Promise<string> {
  const name = fresh('bucket');
  expect(await admin().storage.vectors.createBucket(name)).toEqual({ data: {}, error: null });
  return name;
}

/** An index of a bucket of its own, with the films in it unless it is to be empty. */
export async function index(distanceMetric = 'euclidean', vectors = FILMS) {
  const [vectorBucketName, indexName] = [await bucket(), fresh('index')];
  const made = await admin()
    .storage.vectors.from(vectorBucketName)
    .createIndex({
      indexName,
      dataType: 'float32',
      dimension: 2,
      distanceMetric,
      metadataConfiguration: { nonFilterableMetadataKeys: ['plot'] },
    });
  expect(made).toEqual({ data: {}, error: null });
  const found = admin().storage.vectors.from(vectorBucketName).index(indexName);
  if (vectors.length > 0) expect(await found.putVectors({ vectors })).toEqual({ data: {}, error: null });
  return { vectorBucketName, indexName, of: admin().storage.vectors.from(vectorBucketName), index: found };
}

export const keys = (found: { data: { vectors: { key: string }[] } | null }) =>
  found.data?.vectors.map((vector) => vector.key);
