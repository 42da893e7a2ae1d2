/**
 * How long a text may be, by the name of its field: what the database takes (its checks are named …_limit), so that nobody
 * meets its refusal. Fields with a documented sentence for too much (bio, a request's description) say that sentence.
 */
const SHORT = 120;
const LIST = 500;

const limits: Record<string, number> = {
  fullName: SHORT,
  companyName: SHORT,
  city: SHORT,
  phone: 40,
  experience: SHORT,
  languages: LIST,
  interestedBrands: LIST,
  shippingPorts: LIST,
  budgetRange: SHORT,
  importFrequency: SHORT,
  brand: SHORT,
  model: SHORT,
  engineSize: SHORT,
  imageUrl: 2048,
  description: 5000,
  variant: SHORT,
  transmission: SHORT,
  fuel: SHORT,
  drivetrain: SHORT,
  color: SHORT,
  condition: SHORT,
  location: SHORT,
  features: LIST,
  carModel: SHORT,
  shippingPort: SHORT,
  reply: 5000,
  invitation: 2000,
  message: 4000,
  transaction: 120,
};

/** US dollars: what a car, a budget or a deal may come to at most. The database has the same limit. */
export const MOST_DOLLARS = 100_000_000;

export function limitOf(name: string): number | undefined {
  return limits[name];
}
