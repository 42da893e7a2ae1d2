import { expect, it } from 'vitest';
import type { Post } from './data/posts-query';
import { changesTo, formOf } from './post-changes';
import { postSchema } from './post-schema';

const post: Post = {
  id: 'p',
  agent_id: 'a',
  car_name: 'Toyota',
  model: 'Aqua',
  variant: null,
  description: 'One owner',
  image_url: 'https://cars.example/a.jpg',
  image_urls: ['https://cars.example/a.jpg', 'https://cars.example/b.jpg'],
  cnf_price: 11_900,
  availability_status: 'pending',
  auction_date: '2026-11-25',
  location: 'Yokohama',
  color: 'Pearl white',
  condition: 'Good',
  features: ['Rear camera', 'ETC'],
  specifications: { doors: 5 },
  created_at: '2026-03-01T10:00:00Z',
  year: 2018,
  engine_size: '1.5L',
  mileage_km: 48_200,
  transmission: 'CVT',
  fuel_type: 'Hybrid',
  drivetrain: 'FWD',
  body: 'hatch',
  agent: null,
};

it('An offer that is opened and saved unchanged stays as it is', () => {
  expect(changesTo(post, postSchema.parse(formOf(post)))).toEqual({});
});

it('Only what was changed is sent, and an emptied field is emptied', () => {
  const form = {
    ...formOf(post),
    price: '9,900',
    description: '',
    availability: 'sold' as const,
    photos: [],
  };
  expect(changesTo(post, postSchema.parse(form))).toEqual({
    cnf_price: 9_900,
    description: null,
    image_urls: null,
    availability_status: 'sold',
  });
});

it('Another photo becomes the cover', () => {
  const form = {
    ...formOf(post),
    imageUrl: 'https://cars.example/b.jpg',
    photos: ['https://cars.example/a.jpg'],
  };
  expect(changesTo(post, postSchema.parse(form))).toEqual({
    image_url: 'https://cars.example/b.jpg',
    image_urls: ['https://cars.example/b.jpg', 'https://cars.example/a.jpg'],
  });
});

it('A photo stored without the name of the server is the same photo', () => {
  const stored = { ...post, image_url: '/storage/v1/object/public/car-images/a/1.jpg', image_urls: null };
  expect(formOf(stored).imageUrl).toMatch(/^https?:/);
  expect(changesTo(stored, postSchema.parse(formOf(stored)))).toEqual({});
});
