import { describe, expect, it } from 'vitest';
import { bodyOf, knownBodyOf } from './body-of';

describe('the drawing of a car', () => {
  it.each([
    ['Mazda', 'Bongo', 'van'],
    ['Mazda', 'Bongo Truck', 'truck'],
    ['Toyota', 'HiAce', 'van'],
    ['Honda', 'N-BOX', 'kei'],
    ['Suzuki', 'Wagon R', 'kei'],
    ['Suzuki', 'Carry', 'truck'],
    ['Toyota', 'Hilux', 'truck'],
    ['Toyota', 'Hilux Surf', 'suv'],
    ['Honda', 'Vezel', 'suv'],
    ['Mazda', 'CX-5', 'suv'],
    ['Lexus', 'LX570', 'suv'],
    ['Mazda', 'RX-7', 'coupe'],
    ['Toyota', '86', 'coupe'],
    ['Toyota', 'Corolla Fielder', 'wagon'],
    ['Nissan', 'Note e-Power', 'hatch'],
    ['Toyota', 'Crown', 'sedan'],
    ['Lexus', 'LS 500h', 'sedan'],
    ['Subaru', 'WRX S4', 'sedan'],
  ])('of a %s %s is a %s', (make, model, body) => {
    expect(bodyOf(make, model)).toBe(body);
  });

  it('is not chosen by a piece of a word', () => {
    expect(knownBodyOf('Nissan', 'Advan Special')).toBeNull();
    expect(knownBodyOf('Toyota', 'Celsior')).toBeNull();
  });

  it('of an unknown car is a sedan', () => {
    expect(bodyOf('Toyota', 'Celsior')).toBe('sedan');
  });
});
