import { expect, test } from 'vitest';
import { formatted, withValues } from './sql';

test('a line for each clause, as deep as its parentheses', () => {
  const statement =
    'WITH q AS (SELECT "a" FROM "t" LEFT JOIN LATERAL (SELECT 1) x ON TRUE WHERE "a" > $1 ORDER BY "a" LIMIT 4) SELECT * FROM q';
  expect(formatted(statement)).toBe(
    [
      'WITH q AS (',
      '  SELECT "a"',
      '  FROM "t"',
      '  LEFT JOIN LATERAL (',
      '    SELECT 1) x',
      '  ON TRUE',
      '  WHERE "a" > $1',
      '  ORDER BY "a"',
      '  LIMIT 4)',
      'SELECT *',
      'FROM q',
    ].join('\n'),
  );
});

test('texts and names are left as they are', () => {
  expect(formatted(`SELECT 'a from b where', "order by"`)).toBe(`SELECT 'a from b where', "order by"`);
});

test('values stand where they are used, as literals', () => {
  const shown = withValues(`SELECT '$1', $1, $2, $10`, ["it's", null]);
  expect(shown).toBe(`SELECT '$1', 'it''s', NULL, $10`);
});
