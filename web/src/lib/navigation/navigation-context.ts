import { createContext, useContext } from 'react';
import type { Navigation } from './navigation';

export const NavigationContext = createContext<Navigation | null>(null);

export function useNavigation(): Navigation {
  const navigation = useContext(NavigationContext);
  if (!navigation) throw new Error('There is no navigation around this.');
  return navigation;
}
