/** `navigate` of the page that asks: once the visitor has left it, an answer that comes late takes them nowhere. */
import { useCallback, useLayoutEffect, useRef } from 'react';
import { useNavigate as useRouterNavigate, type NavigateOptions, type To } from 'react-router-dom';

/** As the router's; a number goes through the history. */
export type Navigate = (to: To | number, options?: NavigateOptions) => void;

export function useNavigate(): Navigate {
  const navigate = useRouterNavigate();
  const isHere = useIsHere();
  return useCallback(
    (to, options) => {
      if (!isHere()) return;
      if (typeof to === 'number') void navigate(to);
      else void navigate(to, options);
    },
    [isHere, navigate],
  );
}

/** Answers whether the component still stands. */
export function useIsHere(): () => boolean {
  const isHere = useRef(false);
  useLayoutEffect(() => {
    isHere.current = true;
    return () => void (isHere.current = false);
  }, []);
  return useCallback(() => isHere.current, []);
}
