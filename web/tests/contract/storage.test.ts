import { describe, expect, it } from 'vitest';
import { admin, person, visitor } from './support/people';

const picture = () => new Blob([new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10])], { type: 'image/png' });
const text = async (blob: Blob | null): Promise<string | undefined> => blob?.text();

describe('storage.file_buckets.create_file_bucket', () => {
  it('is refused without a policy and done for the service role', async () => {
    const name = `bucket-${Date.now()}`;
    expect((await visitor().storage.createBucket(name)).error).toMatchObject({
      message: 'new row violates row-level security policy',
    });
    expect((await admin().storage.createBucket(name, { public: true })).data).toEqual({ name });
    expect((await admin().storage.getBucket(name)).data).toMatchObject({ id: name, public: true });
    expect((await admin().storage.deleteBucket(name)).error).toBeNull();
    expect((await admin().storage.getBucket(name)).error).toMatchObject({
      message: 'Bucket not found',
      statusCode: '404',
    });
  });
});

describe('storage.file_buckets.upload', () => {
  it('stores a file once, and again only with upsert', async () => {
    const { client, user } = await person();
    const bucket = client.storage.from('papers');
    const path = `${user.id}/note.txt`;
    const stored = await bucket.upload(path, new Blob(['one'], { type: 'text/plain' }));
    expect(stored.data).toMatchObject({ path, fullPath: `papers/${path}` });
    expect((await bucket.upload(path, new Blob(['two']))).error).toMatchObject({
      statusCode: '409',
      message: 'The resource already exists',
    });
    expect(
      (await bucket.upload(path, new Blob(['two'], { type: 'text/plain' }), { upsert: true })).error,
    ).toBeNull();
    expect(await text((await bucket.download(path)).data)).toBe('two');
  });

  it('keeps everybody out of the folders of others', async () => {
    const [owner, stranger] = await Promise.all([person(), person()]);
    const path = `${owner.user.id}/secret.txt`;
    await owner.client.storage.from('papers').upload(path, new Blob(['secret'], { type: 'text/plain' }));
    for (const other of [stranger.client, visitor()]) {
      expect((await other.storage.from('papers').download(path)).error).not.toBeNull();
      expect(
        (await other.storage.from('papers').upload(path, new Blob(['x']), { upsert: true })).error,
      ).not.toBeNull();
    }
    expect(await text((await admin().storage.from('papers').download(path)).data)).toBe('secret');
  });
});

describe('storage.file_buckets.get_public_url', () => {
  it('opens for anybody, with the type and a name to download by', async () => {
    const { client, user } = await person();
    const path = `${user.id}/avatar.png`;
    await client.storage.from('public-pictures').upload(path, picture());
    const { data } = client.storage.from('public-pictures').getPublicUrl(path, { download: 'me.png' });
    const response = await fetch(data.publicUrl);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('image/png');
    expect(response.headers.get('content-disposition')).toContain('me.png');
    expect((await response.arrayBuffer()).byteLength).toBe(8);
  });

  it('stays closed for a private bucket', async () => {
    const { data } = visitor().storage.from('papers').getPublicUrl('a/b.txt');
    expect((await fetch(data.publicUrl)).status).toBe(400);
  });
});
