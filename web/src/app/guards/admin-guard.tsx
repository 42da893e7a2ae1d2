import { Outlet } from 'react-router-dom';
import { env } from '@/config/env';
import { navigation } from '@/copy/navigation';
import { useAuth } from '@/lib/auth/auth-context';
import { decideAdminAccess } from './access';
import { Gate } from './gate';

export default function AdminGuard() {
  return (
    <Gate access={decideAdminAccess(useAuth(), env.adminEmail)} waitingText={navigation.adminVerifying}>
      <Outlet />
    </Gate>
  );
}
