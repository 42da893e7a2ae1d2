/** What the create form accepts, and the row it turns into: empty optional fields are left out. */
import { z } from 'zod';
import { validation } from '@/copy/validation';
import { parseAmount } from '@/lib/format';

export const availabilities = ['available', 'pending', 'sold'] as const;

const optionalText = z
  .string()
  .trim()
  .transform((text) => text || undefined);

const price = z
  .string()
  .refine((text) => text.trim() === '' || parseAmount(text) !== null, validation.price)
  .transform((text) => parseAmount(text) ?? undefined);

const imageUrl = z
  .literal('')
  .or(z.url({ protocol: /^https?$/, error: validation.imageUrl }))
  .transform((url) => url || undefined);

export const postSchema = z
  .object({
    brand: z.string().trim().min(1, validation.requiredFields),
    model: z.string().trim().min(1, validation.requiredFields),
    engineSize: optionalText,
    price,
    description: optionalText,
    imageUrl: z.string().trim().pipe(imageUrl),
    availability: z.enum(availabilities),
  })
  .transform(({ brand, model, engineSize, price: cnfPrice, description, imageUrl: url, availability }) => ({
    car_name: brand,
    model,
    ...(engineSize !== undefined && { engine_size: engineSize }),
    ...(cnfPrice !== undefined && { cnf_price: cnfPrice }),
    ...(description !== undefined && { description }),
    ...(url !== undefined && { image_url: url }),
    availability,
  }));

export type PostForm = z.input<typeof postSchema>;
export type NewPost = z.output<typeof postSchema>;
