/**
 * The filter as it is typed. It stands in the address, too, a moment after the last key: the router draws in its own
 * time, and a field that waited for it would lose what is typed meanwhile.
 */
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';

const PARAMETER = 'q';
const PAUSE_MS = 250;

export function useFilter(): [string, (typed: string) => void] {
  const [parameters, setParameters] = useSearchParams();
  const address = parameters.get(PARAMETER) ?? '';
  const [typed, setTyped] = useState(address);
  const [seen, setSeen] = useState(address);
  const [written, setWritten] = useState(address);
  if (address !== seen) {
    setSeen(address);
    // By Back or a link; what was typed here is there already.
    if (address !== written) setTyped(address);
  }
  useEffect(() => {
    if (typed === written) return;
    const timer = setTimeout(() => {
      setWritten(typed);
      setParameters((before) => withFilter(before, typed), { replace: true });
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, written, setParameters]);
  return [typed, setTyped];
}

function withFilter(parameters: URLSearchParams, typed: string): URLSearchParams {
  const next = new URLSearchParams(parameters);
  if (typed === '') next.delete(PARAMETER);
  else next.set(PARAMETER, typed);
  return next;
}
