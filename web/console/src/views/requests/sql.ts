/** A statement as people read it: a line for each clause, and the values where they stand if that is wanted. */

/** Texts, names and comments in one piece, then parameters, words, and all else by the sign. */
const TOKEN = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\$\d+|[A-Za-z_][A-Za-z0-9_.$]*|\s+|[\s\S]/g;
const CLAUSES = new Set(
  'from where group having order limit offset union set values returning left inner cross on select insert update delete with'.split(
    ' ',
  ),
);
/** The second word of two: `ORDER BY` stays in one line. */
const AFTER: Record<string, string> = { by: 'group order partition', join: 'left inner cross outer lateral' };
const INDENT = '  ';

export function withValues(statement: string, values: readonly (string | null)[]): string {
  return tokens(statement)
    .map((token) => {
      const number = /^\$(\d+)$/.exec(token)?.[1];
      if (number === undefined) return token;
      const value = values[Number(number) - 1];
      return value === undefined ? token : value === null ? 'NULL' : `'${value.replaceAll("'", "''")}'`;
    })
    .join('');
}

/** Each clause begins a line, as deep as its parentheses. */
export function formatted(statement: string): string {
  const lines = [''];
  let depth = 0;
  let before = '';
  for (const token of tokens(statement)) {
    if (/^\s/.test(token)) {
      add(lines, ' ');
      continue;
    }
    const word = token.toLowerCase();
    if (token === ')') depth = Math.max(0, depth - 1);
    if (CLAUSES.has(word) && !isGoingOn(word, before) && (lines.at(-1) ?? '').trim() !== '')
      lines.push(INDENT.repeat(depth));
    add(lines, token);
    if (token === '(') depth += 1;
    before = word;
  }
  return lines.map((line) => line.trimEnd()).join('\n');
}

function isGoingOn(word: string, before: string): boolean {
  if (before === '(' && word !== 'select') return true;
  return (AFTER[word]?.split(' ').includes(before) ?? false) || (word === 'on' && before === 'distinct');
}

function add(lines: string[], text: string): void {
  const line = lines.at(-1) ?? '';
  const isIndent = line.trim() === '';
  lines[lines.length - 1] = isIndent && text === ' ' ? line : line + text;
}

function tokens(statement: string): string[] {
  return statement.match(TOKEN) ?? [];
}
