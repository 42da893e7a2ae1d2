/** A value that follows once it has rested: a search asks the service when the typing pauses. */
import { useEffect, useState } from 'react';

export function useDebounced<Value>(value: Value, milliseconds = 250): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return settled;
}
