/** What the request form accepts, and the row it turns into: empty optional fields are left out. */
import { z } from '@/lib/zod';
import { validation } from '@/copy/validation';
import type { RequestFacts } from './data/request-answers';
import { groupThousands, isTooMuch, parseAmount } from '@/lib/format';

export const DESCRIPTION_LIMIT = 500;

const required = (message: string) => z.string().check(z.trim(), z.minLength(1, message));
const amount = (message: string) =>
  z.string().check(
    z.refine((text) => parseAmount(text) !== null, message),
    z.refine((text) => !isTooMuch(text), validation.tooMuch),
  );

interface Budget {
  budgetMin: string;
  budgetMax: string;
}

/** Only where both are amounts: otherwise their own messages say what is wrong. */
function isOrdered({ budgetMin, budgetMax }: Budget): boolean {
  const [min, max] = [parseAmount(budgetMin), parseAmount(budgetMax)];
  return min === null || max === null || min <= max;
}

const formSchema = z
  .object({
    carMake: required(validation.carMake),
    carModel: required(validation.carModel),
    yearRange: required(validation.yearRange),
    isFlexibleYear: z.boolean(),
    condition: required(validation.condition),
    fuelType: z.string(),
    transmission: z.string(),
    description: z.string().check(z.trim(), z.maxLength(DESCRIPTION_LIMIT, validation.requestDescription)),
    budgetMin: amount(validation.budgetMin),
    budgetMax: amount(validation.budgetMax),
    isFlexibleBudget: z.boolean(),
    urgency: required(validation.urgency),
    shippingPort: required(validation.shippingPort),
  })
  .check(z.refine(isOrdered, { error: validation.budgetOrder, path: ['budgetMax'], when: () => true }));

export const requestSchema = z.pipe(formSchema, z.transform(rowOf));

function rowOf(form: z.output<typeof formSchema>) {
  return {
    car_make: form.carMake,
    car_model: form.carModel,
    year_range: form.yearRange,
    is_flexible_year: form.isFlexibleYear,
    condition: form.condition,
    fuel_type: form.fuelType || null,
    transmission: form.transmission || null,
    description: form.description || null,
    budget_min: parseAmount(form.budgetMin) ?? 0,
    budget_max: parseAmount(form.budgetMax) ?? 0,
    is_flexible_budget: form.isFlexibleBudget,
    urgency: form.urgency,
    shipping_port: form.shippingPort,
  };
}

export type RequestForm = z.input<typeof requestSchema>;
export type RequestFields = z.output<typeof requestSchema>;

export const emptyRequest: RequestForm = {
  carMake: '',
  carModel: '',
  yearRange: '',
  isFlexibleYear: false,
  condition: '',
  fuelType: '',
  transmission: '',
  description: '',
  budgetMin: '',
  budgetMax: '',
  isFlexibleBudget: false,
  urgency: '',
  shippingPort: '',
};

/** A stored request, as the form shows it. */
export function requestFormOf(row: RequestFacts): RequestForm {
  return {
    carMake: row.car_make,
    carModel: row.car_model,
    yearRange: row.year_range ?? '',
    isFlexibleYear: row.is_flexible_year,
    condition: row.condition ?? '',
    fuelType: row.fuel_type ?? '',
    transmission: row.transmission ?? '',
    description: row.description ?? '',
    budgetMin: amountText(row.budget_min),
    budgetMax: amountText(row.budget_max),
    isFlexibleBudget: row.is_flexible_budget,
    urgency: row.urgency,
    shippingPort: row.shipping_port ?? '',
  };
}

function amountText(amount: number | null): string {
  return amount === null ? '' : groupThousands(String(amount));
}
