import { Outlet } from 'react-router-dom';
import { decideAccess } from '@/app/guards/access';
import { Gate } from '@/app/guards/gate';
import { ImporterShell } from '@/widgets/shell/importer-shell';
import { useAuth } from '@/lib/auth/auth-context';

export default function ImporterLayout() {
  return (
    <Gate access={decideAccess(useAuth(), 'importer')}>
      <ImporterShell>
        <Outlet />
      </ImporterShell>
    </Gate>
  );
}
