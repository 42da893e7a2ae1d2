/** Requests: the list, and beside it the one that is open. On a phone one of the two. */
import { Route, Routes } from 'react-router-dom';
import { RequestList } from './list';
import { RequestPage } from './page';

export default function Requests() {
  return (
    <Routes>
      <Route index element={<Layout />} />
      <Route path=":id" element={<Layout />} />
    </Routes>
  );
}

function Layout() {
  return (
    <div className="grid h-full min-h-0 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)]">
      <RequestList />
      <RequestPage />
    </div>
  );
}
