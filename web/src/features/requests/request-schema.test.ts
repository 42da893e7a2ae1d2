import { describe, expect, it } from 'vitest';
import { validation } from '@/copy/validation';
import { emptyRequest, requestFormOf, requestSchema, type RequestForm } from './request-schema';

const filled: RequestForm = {
  ...emptyRequest,
  carMake: 'Toyota',
  carModel: ' Aqua ',
  yearRange: '2015-2019',
  condition: 'Good',
  budgetMin: '8,000',
  budgetMax: '12000',
  urgency: 'high',
  shippingPort: 'Hamburg',
};

function messagesOf(form: RequestForm): string[] {
  const result = requestSchema.safeParse(form);
  return result.success ? [] : result.error.issues.map((issue) => issue.message);
}

describe('a car request', () => {
  // IPR-004..IPR-012
  it('names every required field that is empty, each with its documented message', () => {
    expect(messagesOf(emptyRequest)).toEqual([
      validation.carMake,
      validation.carModel,
      validation.yearRange,
      validation.condition,
      validation.budgetMin,
      validation.budgetMax,
      validation.urgency,
      validation.shippingPort,
    ]);
  });

  // IPR-010
  it('takes a description of exactly 500 characters and none of 501', () => {
    expect(messagesOf({ ...filled, description: 'x'.repeat(500) })).toEqual([]);
    expect(messagesOf({ ...filled, description: 'x'.repeat(501) })).toEqual([validation.requestDescription]);
  });

  it('takes a budget up to a hundred million dollars', () => {
    expect(messagesOf({ ...filled, budgetMax: '100,000,000' })).toEqual([]);
    expect(messagesOf({ ...filled, budgetMax: '999999999999' })).toEqual([validation.tooMuch]);
  });

  // IPR-027
  it('refuses a maximum below the minimum and takes equal ones', () => {
    expect(messagesOf({ ...filled, budgetMax: '7,999' })).toEqual([validation.budgetOrder]);
    expect(messagesOf({ ...filled, budgetMax: '8000' })).toEqual([]);
  });

  // IPR-013, IPR-014, IPR-015, IPR-022, IPR-026
  it('becomes a row with numbers for budgets, nothing for what was left open, and the urgency of its timeline', () => {
    expect(requestSchema.parse(filled)).toEqual({
      car_make: 'Toyota',
      car_model: 'Aqua',
      year_range: '2015-2019',
      is_flexible_year: false,
      condition: 'Good',
      fuel_type: null,
      transmission: null,
      description: null,
      budget_min: 8000,
      budget_max: 12000,
      is_flexible_budget: false,
      urgency: 'high',
      shipping_port: 'Hamburg',
    });
  });

  // IMR-018
  it('comes back from its row as it was typed', () => {
    const fields = requestSchema.parse(filled);
    const row = {
      ...fields,
      id: 'r',
      importer_id: 'i',
      status: 'active',
      created_at: '2026-03-04T10:00:00Z',
      updated_at: '2026-03-04T10:00:00Z',
    };
    expect(requestSchema.parse(requestFormOf(row))).toEqual(fields);
  });
});
