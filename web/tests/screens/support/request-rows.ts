/** A request and an invitation for it, as the service sends them to the person of the screen tests. */
import { userOf } from './people';

export const request = {
  id: 'r1',
  importer_id: 'i1',
  car_make: 'Toyota',
  car_model: 'Aqua',
  year_range: '2015-2019',
  is_flexible_year: true,
  budget_min: 8000,
  budget_max: 12000,
  is_flexible_budget: false,
  condition: 'Good',
  fuel_type: 'hybrid',
  transmission: 'cvt',
  description: null,
  urgency: 'high',
  shipping_port: 'Hamburg',
  status: 'active',
  created_at: '2026-11-01T10:00:00Z',
  responses: 0,
  own_invitation: null as object | null,
  importer: { full_name: 'Tom Fischer', country: 'DE', city: 'Hamburg', avatar_url: null },
};

export const invitation = {
  id: 'v1',
  agent_id: userOf().id,
  importer_id: 'i1',
  request_id: 'r1',
  message: 'Hello Tom',
  status: 'sent',
  is_assigned: false,
  response_message: null,
  responded_at: null,
  created_at: '2026-11-02T10:00:00Z',
  updated_at: '2026-11-02T10:00:00Z',
  agent: { full_name: 'Kenji Tanaka', country: 'JP', company_name: 'Yokohama Auto', avatar_url: null },
  importer: { ...request.importer, company_name: null, budget_range: null, interested_car_brands: null },
  request,
};
