import { missingConfiguration } from '@/copy/app';

export function MissingConfiguration({ names }: { names: string[] }) {
  return (
    <main className="container-page py-16">
      <h1 className="text-h1">{missingConfiguration.title}</h1>
      <p className="mt-4">{missingConfiguration.text}</p>
      <ul className="mt-2 list-disc pl-6">
        {names.map((name) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
    </main>
  );
}
