import { useEffect, useState } from 'react';

/** `value`, once it has stayed the same for `ms`: what is typed asks the server when the typing pauses. */
export function useSettled<Value>(value: Value, ms = 250): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
