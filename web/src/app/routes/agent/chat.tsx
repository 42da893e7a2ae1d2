/** The old address of a conversation names a request: whoever posted it is whom the agent writes with. */
import { useQuery } from '@tanstack/react-query';
import { Navigate, useParams } from 'react-router-dom';
import { LoadingPart } from '@/components/loading-screen';
import { paths } from '@/config/paths';
import { requestImporterQueryOptions } from '@/features/requests/data/one-request-query';

export default function ChatRedirect() {
  const { requestId = '' } = useParams();
  const { data: importerId, isPending } = useQuery(requestImporterQueryOptions(requestId));
  if (isPending) return <LoadingPart />;
  const conversation = importerId ? `?importer=${importerId}` : '';
  return <Navigate to={`${paths.agent.messages}${conversation}`} replace />;
}
