import { Link } from 'react-router-dom';
import { bodies } from '@/components/car-drawing/bodies';
import type { CarBody } from '@/components/car-drawing/body-of';
import { CarSilhouette } from '@/components/car-drawing/car-figures';
import { Button } from '@/components/ui/button';
import { paths } from '@/config/paths';
import { landing } from '@/copy/landing';

const { closing } = landing;
const LINE_UP = (Object.keys(bodies) as CarBody[]).filter((body) => body !== 'wagon' && body !== 'hatch');

export function Closing({ onGetStarted }: { onGetStarted: () => void }) {
  return (
    <section aria-labelledby="closing-title" className="container-page py-8 sm:py-14">
      <div className="overflow-hidden rounded-card border bg-card">
        <div aria-hidden className="hidden grid-cols-6 border-b ruled text-input sm:grid">
          {LINE_UP.map((body) => (
            <div key={body} className="relative aspect-4/3">
              <CarSilhouette body={body} />
            </div>
          ))}
        </div>
        <div className="flex flex-col gap-6 p-5 sm:p-8 lg:flex-row lg:items-center lg:justify-between">
          <h2 id="closing-title" className="text-h1 text-balance">
            {closing.title}
          </h2>
          <div className="flex flex-col gap-3 sm:flex-row">
            <Button variant="outline" asChild>
              <Link to={paths.agent.signUp}>{closing.joinAgent}</Link>
            </Button>
            <Button asChild>
              <Link to={paths.importer.signUp}>{closing.joinImporter}</Link>
            </Button>
            <Button variant="ghost" asChild>
              <Link to={paths.auth} onClick={onGetStarted}>
                {closing.getStarted}
              </Link>
            </Button>
          </div>
        </div>
      </div>
    </section>
  );
}
