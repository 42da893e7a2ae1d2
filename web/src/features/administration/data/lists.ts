/** The lists of the back office: one page of rows with the counts of every tab, by functions only the administrator may call. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { adminList } from '@/copy/back-office';
import type { Database } from '@/lib/database.types';
import { unwrap } from '@/lib/errors';
import { supabase } from '@/lib/supabase';
import { administrationKeys } from './keys';

export interface ListPage<Row> {
  total: number;
  counts?: Record<string, number>;
  rows: Row[];
}

export interface ListAsk {
  search: string;
  status: string;
  limit: number;
}

export const PAGE = 25;

export type DocumentName = 'identity_document' | 'company_proof';
export type DocumentStatus = 'waiting' | 'accepted' | 'refused';

export interface Submission {
  id: string;
  bio: string | null;
  company_name: string | null;
  experience: string | null;
  languages: string[] | null;
  identity_document_path: string | null;
  identity_document_status: DocumentStatus;
  identity_document_note: string | null;
  company_proof_path: string | null;
  company_proof_status: DocumentStatus;
  company_proof_note: string | null;
  documents_checked_at: string | null;
  transfer_reference: string | null;
  receipt_path: string | null;
  payment_method: string | null;
  payment_status: 'none' | 'claimed' | 'received' | 'waived';
  payment_claimed_at: string | null;
  payment_settled_at: string | null;
  payment_note: string | null;
  payment_reference: string | null;
  amount_pkr: number;
  status: 'pending' | 'approved' | 'rejected' | 'more_info';
  review_note: string | null;
  reviewed_at: string | null;
  submitted_at: string;
}

interface MemberRow {
  user_id: string;
  full_name: string | null;
  company_name: string | null;
  country: string | null;
  city: string | null;
  phone: string | null;
  email: string;
  avatar_url: string | null;
  created_at: string;
  suspension_reason: string | null;
}

export interface AgentRow extends MemberRow {
  status: 'verified' | 'pending' | 'payment_pending' | 'suspended' | 'unverified';
  rating: number;
  reviews_count: number;
  submission: Submission | null;
  pending_documents: DocumentName[];
}

export interface ImporterRow extends MemberRow {
  last_sign_in_at: string | null;
  status: 'active' | 'inactive' | 'suspended';
  account_type: 'standard' | 'business' | 'premium';
  requests: number;
  completed: number;
  success_rate: number;
  spent: number;
}

export interface CaseNote {
  at: string;
  action: string;
  text: string;
}

export interface RequestRow {
  id: string;
  importer_id: string;
  importer_name: string | null;
  importer_country: string | null;
  car_make: string;
  car_model: string;
  year_range: string | null;
  budget_min: number | null;
  budget_max: number | null;
  shipping_port: string | null;
  description: string | null;
  created_at: string;
  status: 'pending_agent' | 'pending_approval' | 'in_progress' | 'completed' | 'disputed' | 'cancelled';
  priority: 'urgent' | 'high' | 'medium' | 'low';
  progress: number;
  assigned_agent_id: string | null;
  assigned_agent: string | null;
  dispute_reason: string | null;
  evidence: { kind: string; title: string }[] | null;
  notes: CaseNote[] | null;
  invitations: number;
}

export interface TicketRow {
  id: string;
  full_name: string | null;
  user_type: string | null;
  subject: string;
  body: string;
  category: string;
  priority: 'urgent' | 'high' | 'medium' | 'low';
  tags: string[];
  status: 'open' | 'in_progress' | 'waiting_response' | 'escalated' | 'resolved';
  assigned_to: string | null;
  created_at: string;
  updated_at: string;
  messages: { body: string; created_at: string; from_member: boolean }[];
}

export interface Participant {
  user_id: string;
  full_name: string | null;
  user_type: string;
}

export interface ConversationRow {
  participants: [Participant, Participant];
  messages: number;
  unread: number;
  started_at: string;
  last_at: string;
  report_id: string | null;
  report_reason: string | null;
  report_status: 'open' | 'reviewed' | null;
}

interface Rows {
  admin_agents: AgentRow;
  admin_importers: ImporterRow;
  admin_requests: RequestRow;
  admin_tickets: TicketRow;
}

export type ListName = keyof Rows & keyof Database['public']['Functions'];

export function listQueryOptions<Name extends ListName>(name: Name, ask: ListAsk) {
  return queryOptions({
    queryKey: administrationKeys.list(name, ask),
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const call = supabase.rpc(name, { p_search: ask.search, p_status: ask.status, p_limit: ask.limit });
      return unwrap(await call.abortSignal(signal), adminList.failed) as unknown as ListPage<Rows[Name]>;
    },
  });
}

/** Conversations have no tabs. */
export function conversationsQueryOptions(ask: ListAsk) {
  return queryOptions({
    queryKey: administrationKeys.list('admin_conversations', ask),
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const call = supabase.rpc('admin_conversations', { p_search: ask.search, p_limit: ask.limit });
      return unwrap(await call.abortSignal(signal), adminList.failed) as unknown as ListPage<ConversationRow>;
    },
  });
}
