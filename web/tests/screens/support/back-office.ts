/** The administrator at the desk, and rows as the functions of the back office answer them. */
import { sessionOf, storeSession, userOf } from './people';
import { ADMIN_EMAIL, json, type Call, type Service } from './service';

type Row = Record<string, unknown>;

export function arriveAsAdministrator(service: Service): void {
  storeSession(sessionOf({ ...userOf({ email: ADMIN_EMAIL }), app_metadata: { role: 'admin' } }));
  service.on('POST /rest/v1/rpc/admin_overview', json(200, overview()));
}

function memberRow(): Row {
  return {
    user_id: 'agent-1',
    full_name: 'Kenji Tanaka',
    company_name: 'Tanaka Motors',
    country: 'JP',
    city: 'Nagoya',
    phone: null,
    email: 'kenji@example.com',
    avatar_url: null,
    created_at: '2026-01-05T10:00:00Z',
    suspension_reason: null,
  };
}

export function agentRow(traits: Row = {}): Row {
  return {
    ...memberRow(),
    status: 'pending',
    rating: 4.5,
    reviews_count: 2,
    pending_documents: [],
    submission: submissionRow(),
    ...traits,
  };
}

export function submissionRow(traits: Row = {}): Row {
  return {
    id: 'submission-1',
    bio: null,
    company_name: 'Tanaka Motors',
    experience: '12',
    languages: ['English'],
    identity_document_path: 'agent-1/passport.pdf',
    identity_document_status: 'waiting',
    identity_document_note: null,
    company_proof_path: 'agent-1/company.pdf',
    company_proof_status: 'waiting',
    company_proof_note: null,
    documents_checked_at: null,
    transfer_reference: null,
    receipt_path: null,
    payment_method: 'bank',
    payment_status: 'received',
    payment_claimed_at: null,
    payment_settled_at: null,
    payment_note: null,
    payment_reference: 'T-1',
    amount_pkr: 2000,
    status: 'pending',
    review_note: null,
    reviewed_at: null,
    submitted_at: '2026-02-05T10:00:00Z',
    ...traits,
  };
}

export function importerRow(traits: Row = {}): Row {
  return {
    ...memberRow(),
    user_id: 'importer-1',
    full_name: 'Anna Schmidt',
    last_sign_in_at: null,
    status: 'active',
    account_type: 'standard',
    requests: 4,
    completed: 3,
    success_rate: 75,
    spent: 10500,
    ...traits,
  };
}

export function auditRow(traits: Row = {}): Row {
  return {
    id: 7,
    created_at: '2026-03-04T10:00:00Z',
    admin_id: 'admin-1',
    administrator: ADMIN_EMAIL,
    action: 'review_agent',
    target_type: 'agent',
    target_id: 'agent-1',
    target: 'Kenji Tanaka',
    details: { decision: 'reject', note: 'The passport is cut off' },
    ...traits,
  };
}

export function overview(traits: Row = {}): Row {
  const stats = [
    'total_agents',
    'verified_agents',
    'pending_agents',
    'payment_pending_agents',
    'suspended_agents',
    'total_importers',
    'countries',
    'active_requests',
    'open_deals',
    'open_tickets',
  ];
  return {
    stats: Object.fromEntries(stats.map((name) => [name, 1])),
    alerts: [],
    pending_approvals: [],
    ...traits,
  };
}

export const page = (rows: Row[], more: Row = {}): Response =>
  json(200, { total: rows.length, counts: { all: rows.length }, rows, next: null, ...more });

export const isForOne = ({ body }: Call): boolean => 'p_id' in body;
