/** The product's name, which leads to the start page and says so. */
import { Link } from 'react-router-dom';
import { paths } from '@/config/paths';
import { navigation } from '@/copy/navigation';
import { cn } from '@/lib/class-names';
import { Brand } from './brand';

export function HomeLink({ className }: { className?: string }) {
  return (
    <Link to={paths.home} className={cn('flex min-h-11 items-center rounded-control', className)}>
      <Brand />
      <span className="sr-only">: {navigation.home}</span>
    </Link>
  );
}
