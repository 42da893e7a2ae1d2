import { ArrowLeft, ExternalLink } from 'lucide-react';
import { Link, useSearchParams } from 'react-router-dom';
import { addressOf } from '../../dev/api';
import { searchOf, useBranch, useJournal } from '../../dev/use-branch';
import { useKeys } from '../../frame/use-keys';
import { Button } from '../../parts/button';
import { Copy } from '../../parts/copy';
import { Notice } from '../../parts/notice';
import { Facts, Section } from '../../parts/section';
import { causeOf, momentText, titleOf, type Message } from './messages';

export function Detail({ message }: { message: Message }) {
  useKeys({ y: () => void navigator.clipboard.writeText(message.code ?? message.link ?? message.text) });
  return (
    <div className="flex min-h-full flex-col">
      <header className="grid gap-2 px-4 py-3">
        <Back />
        <h2 className="break-words text-h3">{titleOf(message)}</h2>
        <Facts facts={factsOf(message)} />
        <Cause message={message} />
      </header>
      <WaysIn message={message} />
      {message.html === null ? <Text message={message} /> : <Letter message={message} html={message.html} />}
    </div>
  );
}

function factsOf(message: Message): (readonly [string, string])[] {
  const facts: [string, string | null][] = [
    ['From', message.from],
    ['To', message.to],
    ['Kind', message.channel === 'email' ? message.type : `${message.type}, by ${message.channel}`],
    ['Sent', momentText(message.created_at, new Date())],
  ];
  return facts.flatMap(([name, value]) => (value ? [[name, value] as const] : []));
}

/** The request that it was sent for. */
function Cause({ message }: { message: Message }) {
  const branch = useBranch();
  const cause = causeOf(message, useJournal().events);
  if (cause === null) return null;
  return (
    <Link
      className="justify-self-start text-primary hover:underline"
      to={{ pathname: `/requests/${cause}`, search: searchOf(branch) }}
    >
      The request that led to it
    </Link>
  );
}

/** What whoever gets it does with it. */
function WaysIn({ message: { link, code } }: { message: Message }) {
  return (
    <>
      {code && (
        <Section title="Code" beside={<Copy name="Copy the code" text={code} />}>
          <p className="code tracking-widest text-h3">{code}</p>
        </Section>
      )}
      {link && (
        <Section title="Link" beside={<Copy name="Copy the link" text={link} />}>
          <a
            className="code break-all text-primary hover:underline"
            href={link}
            target="_blank"
            rel="noreferrer"
          >
            {link}
            <ExternalLink aria-label="opens in a new tab" className="ml-1 inline size-3.5" />
          </a>
        </Section>
      )}
    </>
  );
}

const FORMS = [
  ['looks', 'As it looks'],
  ['text', 'Text'],
  ['source', 'Source'],
] as const;

function Letter({ message, html }: { message: Message; html: string }) {
  const branch = useBranch();
  const [parameters] = useSearchParams();
  const form = parameters.get('show') ?? 'looks';
  return (
    <section aria-label="Content" className="flex min-h-0 flex-1 flex-col border-t">
      <Forms chosen={form} />
      {form === 'text' ? (
        <Written text={message.text} />
      ) : form === 'source' ? (
        <Written text={html} />
      ) : (
        <iframe
          title={`The mail “${titleOf(message)}”`}
          src={addressOf(branch, `/_dev/mailbox/${message.id}`)}
          // Nothing in it runs; a link leads where it leads in a mailbox.
          sandbox="allow-popups allow-top-navigation-by-user-activation"
          className="bg-white min-h-112 w-full flex-1 border-t"
        />
      )}
    </section>
  );
}

function Forms({ chosen }: { chosen: string }) {
  const [parameters, setParameters] = useSearchParams();
  const show = (form: string) => {
    const next = new URLSearchParams(parameters);
    next.set('show', form);
    setParameters(next, { replace: true });
  };
  return (
    <div role="group" aria-label="Show it" className="flex flex-wrap gap-1 px-4 py-2">
      {FORMS.map(([form, name]) => (
        <Button
          key={form}
          variant={form === chosen ? 'outline' : 'ghost'}
          aria-pressed={form === chosen}
          onClick={() => show(form)}
        >
          {name}
        </Button>
      ))}
    </div>
  );
}

function Text({ message }: { message: Message }) {
  return (
    <Section title="Text" beside={<Copy name="Copy the text" text={message.text} />}>
      <p className="w-fit max-w-prose rounded-card bg-muted px-3 py-2 break-words whitespace-pre-wrap">
        {message.text}
      </p>
    </Section>
  );
}

function Written({ text }: { text: string }) {
  return (
    <pre tabIndex={0} className="code overflow-x-auto border-t px-4 py-3 break-words whitespace-pre-wrap">
      {text}
    </pre>
  );
}

export function NothingChosen() {
  return <Notice title="No message chosen">Choose one in the list to read it.</Notice>;
}

export function Gone() {
  return (
    <div>
      <div className="px-4 pt-3">
        <Back />
      </div>
      <Notice title="This message is no longer kept">
        <p>It was deleted, newer ones took its place, or it is another branch’s.</p>
      </Notice>
    </div>
  );
}

/** Where the list is not beside it. */
function Back() {
  const [parameters] = useSearchParams();
  const back = new URLSearchParams(parameters);
  back.delete('show');
  return (
    <Link
      to={{ pathname: '/mail', search: back.toString() }}
      className="flex min-h-11 items-center gap-1.5 justify-self-start text-primary hover:underline lg:hidden"
    >
      <ArrowLeft aria-hidden className="size-4" />
      All messages
    </Link>
  );
}
