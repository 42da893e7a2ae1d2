/** Around every page: a new one starts at its top, and Back leads to where it was left. */
import { Outlet, ScrollRestoration } from 'react-router-dom';

export function Root() {
  return (
    <>
      <Outlet />
      <ScrollRestoration />
    </>
  );
}
