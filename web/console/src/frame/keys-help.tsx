import { DialogShell } from './dialog-shell';
import { VIEWS } from '../views';

const KEYS: readonly (readonly [string, string])[] = [
  ['Ctrl-K or ⌘K', 'go somewhere, or do something'],
  ['/', 'filter the list'],
  ['j k', 'next and previous'],
  ['Enter', 'open'],
  ['Esc', 'back to the list'],
  ['y', 'copy the address of what is open; of a message its code or link'],
  ...VIEWS.map(({ letter, name }) => [`g ${letter}`, name] as const),
  ['?', 'these keys'],
];

export default function KeysHelp({ onClose }: { onClose: () => void }) {
  return (
    <DialogShell title="Keys" onClose={onClose}>
      <dl className="mt-3 grid grid-cols-[auto_1fr] gap-x-5 gap-y-1.5">
        {KEYS.map(([key, does]) => (
          <div key={key} className="contents">
            <dt className="code">{key}</dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </DialogShell>
  );
}
