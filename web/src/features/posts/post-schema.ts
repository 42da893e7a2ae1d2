/** What the create form accepts, and the row it turns into: empty optional fields are left out. */
import { z } from '@/lib/zod';
import { availabilities, galleryOf } from './offer';
import { validation } from '@/copy/validation';
import { isTooMuch, parseAmount } from '@/lib/format';
import { foreignPicture, ownPicture } from '@/lib/own-picture';
import { bodyCodes } from './offer-choices';

// ACP-005, ACP-009..ACP-012

const optionalText = z.pipe(
  z.string().check(z.trim()),
  z.transform((text: string) => text || undefined),
);

const amount = z.transform((text: string) => parseAmount(text) ?? undefined);

const price = z.pipe(
  z.string().check(
    z.refine((text) => text.trim() === '' || parseAmount(text) !== null, validation.price),
    z.refine((text) => !isTooMuch(text), validation.tooMuch),
  ),
  amount,
);

const address = z.url({ protocol: /^https?$/, normalize: true, error: validation.imageUrl });
const picture = z.string().check(z.refine((url) => url === '' || isPicture(url), validation.imageUrl));
// one after the other: what is no address is told of once
const imageUrl = z.pipe(
  z.pipe(z.union([z.literal(''), address]), picture),
  z.transform((url: string) => url || undefined),
);

const wholeNumber = (message: string, min: number, max: number) =>
  z.pipe(
    z
      .string()
      .check(z.refine((text) => text.trim() === '' || isBetween(parseAmount(text), min, max), message)),
    amount,
  );

function isPicture(url: string): boolean {
  return ownPicture(url) !== null || foreignPicture(url) !== null;
}

function isBetween(value: number | null, min: number, max: number): boolean {
  return value !== null && Number.isInteger(value) && value >= min && value <= max;
}

const list = z.pipe(z.string(), z.transform(partsOf));

function partsOf(text: string): string[] | undefined {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
  return parts.length > 0 ? parts : undefined;
}

/** What an importer compares cars by; all of it may stay open. */
const details = {
  year: wholeNumber(validation.year, 1950, 2100),
  variant: optionalText,
  mileage: wholeNumber(validation.mileage, 0, 2_000_000),
  transmission: optionalText,
  fuel: optionalText,
  drivetrain: optionalText,
  color: optionalText,
  body: z.pipe(
    z.union([z.literal(''), z.enum(bodyCodes)]),
    z.transform((body) => body || undefined),
  ),
  condition: optionalText,
  location: optionalText,
  features: list,
  auctionDate: optionalText,
};

const formSchema = z.object({
  brand: z.string().check(z.trim(), z.minLength(1, validation.requiredFields)),
  model: z.string().check(z.trim(), z.minLength(1, validation.requiredFields)),
  engineSize: optionalText,
  price,
  description: optionalText,
  imageUrl: z.pipe(z.string().check(z.trim()), imageUrl),
  photos: z.array(z.string()),
  availability: z.enum(availabilities),
  ...details,
});

export const postSchema = z.pipe(formSchema, z.transform(rowOf));

function rowOf({ availability, ...form }: z.output<typeof formSchema>) {
  return {
    car_name: form.brand,
    model: form.model,
    ...withoutGaps({
      engine_size: form.engineSize,
      cnf_price: form.price,
      description: form.description,
      ...picturesOf(form.imageUrl, form.photos),
      year: form.year,
      variant: form.variant,
      mileage_km: form.mileage,
      transmission: form.transmission,
      fuel_type: form.fuel,
      drivetrain: form.drivetrain,
      body: form.body,
      color: form.color,
      condition: form.condition,
      location: form.location,
      features: form.features,
      auction_date: form.auctionDate,
    }),
    availability,
  };
}

/** The first photo is the cover, which older screens show alone; a single one needs no list. */
function picturesOf(cover: string | undefined, others: string[]) {
  const gallery = galleryOf(cover ?? '', others);
  return { image_url: gallery[0], image_urls: gallery.length > 1 ? gallery : undefined };
}

type Filled<Row> = { [Column in keyof Row]?: Exclude<Row[Column], undefined> };

function withoutGaps<Row extends object>(row: Row): Filled<Row> {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined)) as Filled<Row>;
}

export const emptyPost: z.input<typeof postSchema> = {
  brand: '',
  model: '',
  engineSize: '',
  price: '',
  description: '',
  imageUrl: '',
  photos: [],
  availability: 'available',
  year: '',
  variant: '',
  mileage: '',
  transmission: '',
  fuel: '',
  drivetrain: '',
  body: '',
  color: '',
  condition: '',
  location: '',
  features: '',
  auctionDate: '',
};

export type PostForm = z.input<typeof postSchema>;
export type NewPost = z.output<typeof postSchema>;
