import { describe, expect, it } from 'vitest';
import { validation } from '@/copy/validation';
import { emptyPost, postSchema } from './post-schema';

describe('a new offer', () => {
  it('leaves empty optional fields out of the row', () => {
    expect(postSchema.parse({ ...emptyPost, brand: ' Toyota ', model: 'Aqua' })).toEqual({
      car_name: 'Toyota',
      model: 'Aqua',
      availability: 'available',
    });
  });

  it('turns a complete form into the documented columns', () => {
    const form = {
      ...emptyPost,
      brand: 'Toyota',
      model: 'Aqua',
      engineSize: '1.5L',
      price: '14,500',
      description: 'One owner',
      imageUrl: 'http://localhost/storage/v1/object/public/car-images/1/aqua.jpg',
      availability: 'pending',
    };
    expect(postSchema.parse(form)).toEqual({
      car_name: 'Toyota',
      model: 'Aqua',
      engine_size: '1.5L',
      cnf_price: 14500,
      description: 'One owner',
      image_url: 'http://localhost/storage/v1/object/public/car-images/1/aqua.jpg',
      availability: 'pending',
    });
  });

  it.each([
    [{ model: ' ' }, validation.requiredFields],
    [{ price: 'cheap' }, validation.price],
    [{ price: '100,000,001' }, validation.tooMuch],
    [{ imageUrl: 'aqua.jpg' }, validation.imageUrl],
    [{ imageUrl: 'javascript:alert(1)' }, validation.imageUrl],
    [{ imageUrl: 'https://name:secret@example.com/aqua.jpg' }, validation.imageUrl],
  ])('refuses %j', (change, message) => {
    const result = postSchema.safeParse({ ...emptyPost, brand: 'Toyota', model: 'Aqua', ...change });
    expect(result.error?.issues.map((issue) => issue.message)).toEqual([message]);
  });

  // ACP-011
  it.each([
    ['https://example.com/aqua.jpg', 'https://example.com/aqua.jpg'],
    [' http://example.com:8080/my photo.jpg ', 'http://example.com:8080/my%20photo.jpg'],
    ['https://bücher.example/写真.jpg?w=1', 'https://xn--bcher-kva.example/%E5%86%99%E7%9C%9F.jpg?w=1'],
  ])('takes the address of a photo anywhere: %s', (imageUrl, kept) => {
    const post = postSchema.parse({ ...emptyPost, brand: 'Toyota', model: 'Aqua', imageUrl });
    expect(post.image_url).toBe(kept);
  });

  // ACP-020, IMC-013
  it('carries the further details that were given, as the numbers and lists they are', () => {
    const form = {
      ...emptyPost,
      brand: 'Toyota',
      model: 'Aqua',
      year: '2018',
      mileage: '48,200',
      features: 'ETC, , Camera',
    };
    expect(postSchema.parse(form)).toEqual({
      car_name: 'Toyota',
      model: 'Aqua',
      year: 2018,
      mileage_km: 48200,
      features: ['ETC', 'Camera'],
      availability: 'available',
    });
  });
});
