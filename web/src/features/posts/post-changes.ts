/** A published offer as the form shows it, and what of it the form has changed. */
import type { TablesUpdate } from '@/lib/database.types';
import { ownPicture } from '@/lib/own-picture';
import type { Post } from './data/posts-query';
import { availabilities, galleryOf } from './offer';
import { bodyCodes } from './offer-choices';
import type { NewPost, PostForm } from './post-schema';

export function formOf(stored: Post): PostForm {
  const post = withWholeAddresses(stored);
  const [imageUrl = '', ...photos] = galleryOf(post.image_url, post.image_urls);
  return {
    brand: post.car_name,
    model: post.model,
    engineSize: post.engine_size ?? '',
    price: post.cnf_price === null ? '' : String(post.cnf_price),
    description: post.description ?? '',
    imageUrl,
    photos,
    availability: availabilities.find((name) => name === post.availability_status) ?? 'available',
    year: post.year === null ? '' : String(post.year),
    variant: post.variant ?? '',
    mileage: post.mileage_km === null ? '' : String(post.mileage_km),
    transmission: post.transmission ?? '',
    fuel: post.fuel_type ?? '',
    drivetrain: post.drivetrain ?? '',
    body: bodyCodes.find((code) => code === post.body) ?? '',
    color: post.color ?? '',
    condition: post.condition ?? '',
    location: post.location ?? '',
    features: post.features?.join(', ') ?? '',
    auctionDate: post.auction_date?.slice(0, 10) ?? '',
  };
}

/** Our own pictures may be stored without the server's name, which the form's field asks for. */
function withWholeAddresses(post: Post): Post {
  const whole = (url: string) => ownPicture(url) ?? url;
  return {
    ...post,
    image_url: post.image_url === null ? null : whole(post.image_url),
    image_urls: post.image_urls?.map(whole) ?? null,
  };
}

type Columns = Required<{ [Column in keyof Omit<NewPost, 'availability'>]: NewPost[Column] | null }>;

function columnsOf({ availability, ...offer }: NewPost): Columns & { availability_status: string } {
  const nothing = {
    engine_size: null,
    cnf_price: null,
    description: null,
    image_url: null,
    image_urls: null,
    year: null,
    variant: null,
    mileage_km: null,
    transmission: null,
    fuel_type: null,
    drivetrain: null,
    body: null,
    color: null,
    condition: null,
    location: null,
    features: null,
    auction_date: null,
  };
  return { ...nothing, ...offer, availability_status: availability };
}

/** Only what differs: what was changed elsewhere in the meantime stays. An emptied field becomes null. */
export function changesTo(stored: Post, offer: NewPost): TablesUpdate<'agent_posts'> {
  const post = withWholeAddresses(stored);
  const wanted = Object.entries(columnsOf(offer));
  const changed = wanted.filter(
    ([column, value]) => JSON.stringify(value) !== JSON.stringify(post[column as keyof Post]),
  );
  return Object.fromEntries(changed);
}
