/** A member's name with the company behind it, on one line. */
export function NameCell({ name, company }: { name: string; company: string | null }) {
  return (
    <>
      <bdi>{name}</bdi>
      {company && <bdi className="ml-2 text-small font-normal text-muted-foreground">{company}</bdi>}
    </>
  );
}
