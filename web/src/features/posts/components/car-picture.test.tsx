import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { carPhoto } from '@/copy/posts';
import { env } from '@/config/env';
import { CarPicture } from './car-picture';

const car = { make: 'Toyota', model: 'Aqua' };
const URL_ELSEWHERE = 'https://cars.example/aqua.jpg';
const button = () => screen.getByRole('button', { name: carPhoto.show('cars.example') });
const photo = () => document.querySelector('img');

it('loads a photo of our own at once', () => {
  render(<CarPicture {...car} url="/storage/v1/object/public/car-images/1/a.jpg" />);
  expect(photo()).toHaveAttribute('src', `${env.supabaseUrl}/storage/v1/object/public/car-images/1/a.jpg`);
});

it('loads a photo elsewhere once it is asked for, and says nothing of us', () => {
  render(<CarPicture {...car} url={URL_ELSEWHERE} />);
  expect(photo()).toBeNull();
  expect(screen.getByRole('img', { name: 'Toyota Aqua' })).toBeInTheDocument();
  fireEvent.click(button());
  expect(screen.getByRole('img', { name: 'Toyota Aqua' })).toBe(photo());
  expect(photo()).toHaveAttribute('src', URL_ELSEWHERE);
  expect(photo()).toHaveAttribute('referrerpolicy', 'no-referrer');
  expect(photo()?.parentElement).toHaveFocus();
});

it('says so when a photo elsewhere does not load, and shows the drawing again', () => {
  render(<CarPicture {...car} url={URL_ELSEWHERE} />);
  fireEvent.click(button());
  fireEvent.error(screen.getByRole('img'));
  expect(photo()).toBeNull();
  expect(screen.getByRole('img', { name: 'Toyota Aqua' })).toBeInTheDocument();
  expect(screen.getByRole('status')).toHaveTextContent(carPhoto.failed('cars.example'));
});

it('asks again for another photo', () => {
  const { rerender } = render(<CarPicture {...car} url={URL_ELSEWHERE} />);
  fireEvent.click(button());
  rerender(<CarPicture {...car} url={`${URL_ELSEWHERE}?2`} />);
  expect(photo()).toBeNull();
  expect(button()).toBeInTheDocument();
});

it('offers a file of another storage, which is not among ours', () => {
  render(<CarPicture {...car} url="https://cars.example/storage/v1/object/public/photos/a.jpg" />);
  fireEvent.error(screen.getByRole('img'));
  expect(button()).toBeInTheDocument();
});

it('asks for nothing inside of a link', () => {
  render(<CarPicture {...car} url={URL_ELSEWHERE} asking="never" />);
  expect(photo()).toBeNull();
  expect(screen.queryByRole('button')).toBeNull();
});
