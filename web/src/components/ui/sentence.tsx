/** 'Title: Description' as documented: two lines to the eye, one sentence to everything that reads text. */
export function Sentence({ title, text }: { title?: string | undefined; text: string }) {
  if (!title) return <p>{text}</p>;
  return (
    <p>
      <span className="block font-semibold">
        {title}
        <span className="sr-only">: </span>
      </span>
      {text}
    </p>
  );
}
