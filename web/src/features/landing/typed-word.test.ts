import { describe, expect, it } from 'vitest';
import { landing } from '@/copy/landing';
import { durationOf, nextTyping, START, type Typing } from './typed-word';

const words = landing.hero.words;

/** Every text the headline shows on the way, and for how long. */
function play(steps: number): { text: string; ms: number }[] {
  const frames: { text: string; ms: number }[] = [];
  let typing: Typing = START;
  for (let step = 0; step < steps; step += 1) {
    frames.push({ text: (words[typing.word] ?? '').slice(0, typing.letters), ms: durationOf(typing, words) });
    typing = nextTyping(typing, words);
  }
  return frames;
}

describe('the typed headline', () => {
  // CON-002
  it('types a letter every 100 ms, holds the word for 2 s and deletes a letter every 50 ms', () => {
    const frames = play(11);
    expect(frames.map((frame) => frame.text)).toEqual([
      '', 'T', 'Tr', 'Tru', 'Trus', 'Trust', 'Trus', 'Tru', 'Tr', 'T', '',
    ]); // prettier-ignore
    expect(frames.map((frame) => frame.ms)).toEqual([100, 100, 100, 100, 100, 2000, 50, 50, 50, 50, 100]);
  });

  it('shows the four words in order and starts over', () => {
    const held = play(200).filter((frame) => frame.ms === 2000);
    expect(held.slice(0, 5).map((frame) => frame.text)).toEqual([
      'Trust',
      'Expertise',
      'Connection',
      'Success',
      'Trust',
    ]);
  });
});
