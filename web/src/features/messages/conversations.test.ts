import { describe, expect, it } from 'vitest';
import { conversationsOf, searchConversations, type SummarizedMessage } from './conversations';

const person = (name: string) => ({ full_name: name, avatar_url: null, country: 'DE' });

function message(from: string | null, to: string | null, content: string, isRead = true): SummarizedMessage {
  return {
    sender_id: from,
    receiver_id: to,
    content,
    is_read: isRead,
    created_at: '2026-03-04T10:00:00Z',
    conversation_id: [from, to].filter(Boolean).join(),
    sender: from === null ? null : person(from),
    receiver: to === null ? null : person(to),
  };
}

describe('conversations', () => {
  it('groups messages by the other side and shows the newest of each', () => {
    const found = conversationsOf(
      [message('anna', 'me', 'newest'), message('me', 'bo', 'hello'), message('me', 'anna', 'oldest')],
      'me',
    );
    expect(found.map(({ counterpart, lastMessage, isOwn }) => [counterpart.id, lastMessage, isOwn])).toEqual([
      ['anna', 'newest', false],
      ['bo', 'hello', true],
    ]);
  });

  it('keeps several who have left apart', () => {
    const from = (conversation: string, content: string) => ({
      ...message(null, 'me', content),
      conversation_id: conversation,
    });
    const found = conversationsOf([from('one', 'newest'), from('other', 'hello'), from('one', 'oldest')], 'me');
    expect(found.map(({ counterpart, lastMessage }) => [counterpart.key, counterpart.id, lastMessage])).toEqual([
      ['gone-one', null, 'newest'],
      ['gone-other', null, 'hello'],
    ]);
  });

  it('is unread when any received message is, and never by what the person wrote', () => {
    const found = conversationsOf(
      [
        message('me', 'anna', 'answer', false),
        message('anna', 'me', 'question', false),
        message('me', 'bo', 'x', false),
      ],
      'me',
    );
    expect(found.map(({ isUnread }) => isUnread)).toEqual([true, false]);
  });

  it('names somebody who has left Unknown User', () => {
    const [conversation] = conversationsOf([message(null, 'me', 'goodbye')], 'me');
    expect(conversation?.counterpart).toMatchObject({ id: null, name: 'Unknown User', country: 'Unknown' });
  });

  it('is found by name and by its last message', () => {
    const all = conversationsOf([message('Anna', 'me', 'The Aqua'), message('Bo', 'me', 'Hi')], 'me');
    expect(searchConversations(all, ' aqua ').map(({ counterpart }) => counterpart.id)).toEqual(['Anna']);
    expect(searchConversations(all, 'BO').map(({ counterpart }) => counterpart.id)).toEqual(['Bo']);
  });
});
