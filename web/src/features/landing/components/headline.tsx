/**
 * The documented headline. The typed word is decoration: the h1 itself says all four words once. It stands still off
 * screen, on request and for people who prefer no motion.
 */
import { Pause, Play } from 'lucide-react';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { landing } from '@/copy/landing';
import { usePrefersReducedMotion } from '@/hooks/use-media-query';
import { useTypedWord } from '../typed-word';

const { hero } = landing;

export function Headline() {
  const ref = useRef<HTMLDivElement>(null);
  const [isPaused, setPaused] = useState(false);
  const isStatic = usePrefersReducedMotion();
  const isOnScreen = useIsOnScreen(ref);
  const typed = useTypedWord(hero.words, isOnScreen && !isPaused && !isStatic);
  return (
    <div ref={ref}>
      <h1 className="text-display text-balance">
        {hero.headline} <span className="sr-only">{hero.words.join(', ')}</span>
        <span aria-hidden className="block text-primary">
          {isStatic ? hero.words.join(', ') : <Typed text={typed} />}
        </span>
      </h1>
      {!isStatic && <PauseButton isPaused={isPaused} onPress={() => setPaused(!isPaused)} />}
    </div>
  );
}

/** The caret is the text's own border: an element that moved with each letter would count as a layout shift. */
function Typed({ text }: { text: string }) {
  return <span className="border-r-[0.08em] border-accent pr-[0.06em]">{text}</span>;
}

function PauseButton({ isPaused, onPress }: { isPaused: boolean; onPress: () => void }) {
  const Icon = isPaused ? Play : Pause;
  return (
    <button
      type="button"
      onClick={onPress}
      className="mt-3 -ml-2 flex min-h-11 items-center gap-2 rounded-control px-2 text-small text-muted-foreground hover:bg-muted sm:min-h-8"
    >
      <Icon aria-hidden className="size-4" />
      <span>
        {isPaused ? hero.play : hero.pause} <span className="sr-only">{hero.headlineMotion}</span>
      </span>
    </button>
  );
}

function useIsOnScreen(ref: RefObject<HTMLElement | null>): boolean {
  const [isOnScreen, setOnScreen] = useState(true);
  useEffect(() => {
    if (!ref.current) return;
    const observer = new IntersectionObserver(([entry]) => setOnScreen(entry?.isIntersecting ?? true));
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, [ref]);
  return isOnScreen;
}
