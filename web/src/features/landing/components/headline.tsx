/**
 * The documented headline. The typed word is decoration: the h1 itself says all four words once. It stands still off
 * screen, on request and for people who prefer no motion.
 */
import { Pause, Play } from 'lucide-react';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { landing } from '@/copy/landing';
import { usePrefersReducedMotion } from '@/hooks/use-media-query';
import { useTypedWord } from '../use-typed-word';

const { hero } = landing;

export function Headline() {
  const ref = useRef<HTMLDivElement>(null);
  const [isPaused, setPaused] = useState(false);
  const isStatic = usePrefersReducedMotion();
  const isOnScreen = useIsOnScreen(ref);
  const typed = useTypedWord(hero.words, isOnScreen && !isPaused && !isStatic);
  return (
    <div ref={ref} className="relative">
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

function Typed({ text }: { text: string }) {
  return (
    <>
      {text}
      <span className="ml-1 inline-block h-[0.8em] w-[0.08em] translate-y-[0.06em] bg-accent" />
    </>
  );
}

function PauseButton({ isPaused, onPress }: { isPaused: boolean; onPress: () => void }) {
  const Icon = isPaused ? Play : Pause;
  return (
    <button
      type="button"
      aria-label={isPaused ? hero.play : hero.pause}
      onClick={onPress}
      className="absolute right-0 bottom-0 grid size-8 place-items-center rounded-control text-muted-foreground hover:bg-muted"
    >
      <Icon aria-hidden className="size-4" />
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
