import { useState } from 'react';
import { Button } from '../../parts/button';
import { Copy } from '../../parts/copy';
import { Notice } from '../../parts/notice';
import { TestMail } from './test-mail';

const SIGN_UP =
  "await supabase.auth.signUp({ email: 'anna@example.com', password: 'correct horse battery' })";

export function NoMessages() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Notice title="No messages yet">
      <p>Mails and text messages that the server would have sent come here. Sign somebody up:</p>
      <pre className="code rounded-control bg-muted px-3 py-2 break-words whitespace-pre-wrap">{SIGN_UP}</pre>
      <div className="flex flex-wrap gap-2">
        <Copy name="Copy the line" text={SIGN_UP} />
        <Button onClick={() => setIsOpen(true)}>Test mail …</Button>
      </div>
      {isOpen && <TestMail onClose={() => setIsOpen(false)} />}
    </Notice>
  );
}
