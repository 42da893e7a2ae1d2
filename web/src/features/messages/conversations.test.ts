import { describe, expect, it } from 'vitest';
import { conversationOf, keyOfMessage, type SummarizedMessage } from './conversations';

const person = (name: string) => ({ full_name: name, avatar_url: null, country: 'DE' });

function message(from: string | null, to: string | null, content: string): SummarizedMessage {
  return {
    id: 'last',
    sender_id: from,
    receiver_id: to,
    content,
    is_read: false,
    created_at: '2026-03-04T10:00:00Z',
    conversation_id: [from, to].filter(Boolean).join(),
    sender: from === null ? null : person(from),
    receiver: to === null ? null : person(to),
  };
}

describe('a conversation', () => {
  it('is seen from its two sides', () => {
    const said = message('anna', 'bo', 'hello');
    expect(conversationOf(said, 'anna', false)).toMatchObject({
      counterpart: { key: 'bo', name: 'bo' },
      isOwn: true,
      isUnread: false,
      lastMessage: 'hello',
    });
    expect(conversationOf(said, 'bo', true)).toMatchObject({
      counterpart: { key: 'anna', name: 'anna' },
      isOwn: false,
      isUnread: true,
    });
  });

  it('goes by its number once the other side has left, so that several stay apart', () => {
    const from = (conversation: string) => ({ ...message(null, 'me', 'bye'), conversation_id: conversation });
    expect([from('one'), from('other')].map((said) => keyOfMessage(said, 'me'))).toEqual([
      'gone-one',
      'gone-other',
    ]);
  });

  it('is with Unknown User once the other side has left', () => {
    const { counterpart, isOwn } = conversationOf(message(null, 'me', 'goodbye'), 'me', false);
    expect(counterpart).toMatchObject({ id: null, name: 'Unknown User', country: 'Unknown' });
    expect(isOwn).toBe(false);
  });
});
