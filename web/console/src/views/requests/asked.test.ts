import { expect, test } from 'vitest';
import { takenApart } from './asked';

test('an address is taken apart into what each part does', () => {
  expect(
    takenApart(
      'select=id,agent(name)&price=gt.5&or=(a.eq.1,b.eq.2)&order=id.desc&limit=3&offset=6&columns=a',
    ),
  ).toEqual({
    select: 'id,agent(name)',
    filters: [
      ['price', 'gt.5'],
      ['or', '(a.eq.1,b.eq.2)'],
    ],
    order: 'id.desc',
    limits: 'limit 3, offset 6',
    others: [['columns', 'a']],
  });
});
