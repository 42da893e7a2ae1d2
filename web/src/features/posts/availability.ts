/** Whether the car of an offer is still to be had. Apart from the schema of the form, which readers need not load. */
export const availabilities = ['available', 'pending', 'sold'] as const;
export type Availability = (typeof availabilities)[number];
