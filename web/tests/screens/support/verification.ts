/** An agent on the way to the seal, as the service tells it. */
import { arriveSignedIn, userOf } from './people';
import { json, type Service } from './service';

export const SUBMIT = 'POST /rest/v1/rpc/submit_agent_verification';
export const SUBMISSIONS = 'GET /rest/v1/agent_verifications';
export const SIGN = '/storage/v1/object/upload/sign/verification-documents/';
const AVATARS = 'POST /storage/v1/object/profiles/';
export const REFERENCE = 'MN-7F3K-92QD';

export const record = {
  id: 'c0d2c3f4-0000-4000-8000-000000000001',
  agent_id: userOf().id,
  status: 'pending',
  submitted_at: '2026-11-20T10:00:00Z',
  identity_document_path: `${userOf().id}/identity-1.pdf`,
  identity_document_name: 'passport.pdf',
  identity_document_status: 'waiting',
  company_proof_path: `${userOf().id}/company-1.pdf`,
  company_proof_name: 'licence.pdf',
  company_proof_status: 'waiting',
  payment_status: 'none',
};

/** An agent whose submission stands as said. */
export function arriveAsAgent(
  service: Service,
  submission: Record<string, unknown> | null = null,
  verification_status = 'unverified',
): void {
  service.on('POST /rest/v1/rpc/verification_reference', json(200, REFERENCE));
  service.on(SUBMISSIONS, json(200, submission ? [{ ...record, ...submission }] : []));
  service.on(SUBMIT, json(200, 'b0d2c3f4-0000-4000-8000-0000000000aa'));
  service.on(`POST ${SIGN}*`, ({ path }) => json(200, { url: `${path.replace('/storage/v1', '')}?token=t` }));
  service.on(`PUT ${SIGN}*`, json(200, { Key: 'x' }));
  service.on(`${AVATARS}*`, json(200, { Key: 'x' }));
  arriveSignedIn(service, 'agent', { profile: { verification_status } });
}
