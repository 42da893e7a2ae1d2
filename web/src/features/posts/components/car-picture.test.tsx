import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { carPhoto } from '@/copy/posts';
import { env } from '@/config/env';
import { CarPicture } from './car-picture';

const car = { make: 'Toyota', model: 'Aqua', sizes: '20rem' };
const URL_ELSEWHERE = 'https://cars.example/aqua.jpg';
const button = () => screen.findByRole('button', { name: carPhoto.show('cars.example') });
const photo = () => document.querySelector('img');

it('loads a photo of our own made to measure, when it comes into view', () => {
  render(<CarPicture {...car} url="/storage/v1/object/public/car-images/1/a.jpg" />);
  const small = `${env.supabaseUrl}/storage/v1/render/image/public/car-images/1/a.jpg?width=320&height=240`;
  expect(photo()?.src.startsWith(small)).toBe(true);
  expect(
    photo()
      ?.srcset.split(', ')
      .map((source) => source.split(' ')[1]),
  ).toEqual(['320w', '640w', '960w', '1440w']);
  expect(photo()).toHaveAttribute('sizes', '20rem');
  expect(photo()).toHaveAttribute('loading', 'lazy');
  expect(photo()).toHaveAttribute('width', '640');
  expect(photo()).toHaveAttribute('height', '480');
});

it('loads the photos that are seen first at once', () => {
  render(<CarPicture {...car} isFirst url="/storage/v1/object/public/car-images/1/a.jpg" />);
  expect(photo()).toHaveAttribute('loading', 'eager');
  expect(photo()).toHaveAttribute('fetchpriority', 'high');
});

it('shows the drawing where a photo of our own does not come, and asks again when there is a line', () => {
  render(<CarPicture {...car} url="/storage/v1/object/public/car-images/1/a.jpg" />);
  fireEvent.error(screen.getByRole('img'));
  expect(photo()).toBeNull();
  expect(screen.getByText(carPhoto.failedShort)).toBeInTheDocument();
  fireEvent.online(window);
  expect(photo()).not.toBeNull();
});

it('loads a photo elsewhere once it is asked for, and says nothing of us', async () => {
  render(<CarPicture {...car} url={URL_ELSEWHERE} />);
  expect(photo()).toBeNull();
  expect(screen.getByRole('img', { name: 'Toyota Aqua' })).toBeInTheDocument();
  fireEvent.click(await button());
  expect(screen.getByRole('img', { name: 'Toyota Aqua' })).toBe(photo());
  expect(photo()).toHaveAttribute('src', URL_ELSEWHERE);
  expect(photo()).toHaveAttribute('referrerpolicy', 'no-referrer');
  expect(photo()?.parentElement).toHaveFocus();
});

it('says so when a photo elsewhere does not load, and shows the drawing again', async () => {
  render(<CarPicture {...car} url={URL_ELSEWHERE} />);
  fireEvent.click(await button());
  fireEvent.error(screen.getByRole('img'));
  expect(photo()).toBeNull();
  expect(screen.getByRole('img', { name: 'Toyota Aqua' })).toBeInTheDocument();
  expect(screen.getByRole('status')).toHaveTextContent(carPhoto.failed('cars.example'));
});

it('asks again for another photo', async () => {
  const { rerender } = render(<CarPicture {...car} url={URL_ELSEWHERE} />);
  fireEvent.click(await button());
  rerender(<CarPicture {...car} url={`${URL_ELSEWHERE}?2`} />);
  expect(photo()).toBeNull();
  expect(await button()).toBeInTheDocument();
});

it('offers a file of another storage, which is not among ours', async () => {
  render(<CarPicture {...car} url="https://cars.example/storage/v1/object/public/photos/a.jpg" />);
  fireEvent.error(screen.getByRole('img'));
  expect(await button()).toBeInTheDocument();
});

it('asks for nothing inside of a link', () => {
  render(<CarPicture {...car} url={URL_ELSEWHERE} asking="never" />);
  expect(photo()).toBeNull();
  expect(screen.queryByRole('button')).toBeNull();
});
