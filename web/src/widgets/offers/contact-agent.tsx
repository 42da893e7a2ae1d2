import { MessageCircle } from 'lucide-react';
import { Link } from 'react-router-dom';
import { Button } from '@/components/ui/button';
import type { Post } from '@/features/posts/data/posts-query';
import { contactPath } from './offer-path';

/** Opens the thread with the agent, which then says which car it is about. */
export function ContactAgent({ post, label }: { post: Pick<Post, 'id' | 'agent_id'>; label: string }) {
  return (
    <Button size="small" asChild>
      <Link to={contactPath(post)}>
        <MessageCircle aria-hidden />
        {label}
      </Link>
    </Button>
  );
}
