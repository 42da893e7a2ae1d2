/** The four tabs of the analytics. */
import { Card, CardContent, CardHeader, CardTitle } from '@/components/ui/card';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui/tabs';
import { analytics as copy } from '@/copy/back-office-figures';
import { countryName } from '@/lib/country';
import { formatPrice } from '@/lib/format';
import type { Analytics } from '../data/analytics-query';
import {
  agentTable,
  categoryTable,
  countryTable,
  importerTable,
  monthName,
  monthTable,
  spansYears,
} from '../report';
import { Growth } from './analytics-cards';
import { BarFigure } from './bar-figure';
import { DataTable } from './data-table';

/** The documented end of the scale; a month above it raises it. */
const SCALE = 300_000;
const COUNTRIES = 12;

export function AnalyticsTabs({ data }: { data: Analytics }) {
  return (
    <Tabs defaultValue="overview">
      <TabsList aria-label={copy.title} className="overflow-x-auto overflow-y-hidden">
        {Object.entries(copy.tabs).map(([value, label]) => (
          <TabsTrigger key={value} value={value} className="flex-none whitespace-nowrap">
            {label}
          </TabsTrigger>
        ))}
      </TabsList>
      <TabsContent value="overview">
        <Overview data={data} />
      </TabsContent>
      <TabsContent value="geographic">
        <Geographic data={data} />
      </TabsContent>
      <TabsContent value="categories">
        <Categories data={data} />
      </TabsContent>
      <TabsContent value="performers">
        <Performers data={data} />
      </TabsContent>
    </Tabs>
  );
}

function Overview({ data }: { data: Analytics }) {
  const max = Math.max(SCALE, ...data.by_month.map((month) => month.revenue));
  const { activity } = copy;
  return (
    <div className="grid grid-cols-1 gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)] lg:items-start">
      <BarFigure
        id="trend"
        title={copy.trend}
        note={copy.trendScale(formatPrice(max))}
        bars={data.by_month.map((row) => ({
          label: monthName(row.month, spansYears(data)),
          short: monthName(row.month, spansYears(data)).slice(0, 3),
          value: row.revenue,
        }))}
        max={max}
        format={shortPrice}
        direction="columns"
        table={monthTable(data)}
      />
      <Card aria-labelledby="activity">
        <CardHeader>
          <CardTitle id="activity">{activity.title}</CardTitle>
        </CardHeader>
        <dl className="divide-y">
          {(['daily_active_users', 'new_registrations', 'active_conversations'] as const).map((name) => (
            <div key={name} className="flex flex-col-reverse px-4 py-4 sm:px-5">
              <dt className="text-muted-foreground">{activity[name]}</dt>
              <dd className="font-heading text-h1 figures">{data.activity[name].toLocaleString('en-US')}</dd>
            </div>
          ))}
        </dl>
      </Card>
    </div>
  );
}

function Geographic({ data }: { data: Analytics }) {
  const table = countryTable(data);
  const top = data.by_country.filter((row) => row.revenue > 0).slice(0, COUNTRIES);
  return (
    <div className="space-y-6">
      <BarFigure
        id="countries"
        title={copy.countries}
        bars={top.map((row) => ({ label: countryName(row.country), value: row.revenue }))}
        format={formatPrice}
        direction="rows"
        table={{ ...table, rows: table.rows.slice(0, COUNTRIES) }}
      />
      <Card>
        <CardContent>
          <DataTable {...table} />
        </CardContent>
      </Card>
    </div>
  );
}

function Categories({ data }: { data: Analytics }) {
  return (
    <div className="space-y-6">
      <BarFigure
        id="categories"
        title={copy.categories}
        bars={data.by_category.map((row) => ({ label: row.category, value: row.value }))}
        format={formatPrice}
        direction="rows"
        table={categoryTable(data)}
      />
      <Card>
        <CardContent>
          <DataTable {...categoryTable(data)} />
        </CardContent>
      </Card>
    </div>
  );
}

function Performers({ data }: { data: Analytics }) {
  const agents = agentTable(data);
  const grown = agents.rows.map((row, index) => [
    ...row.slice(0, -1),
    <Growth key={index} growth={data.top_agents[index]?.growth ?? 0} />,
  ]);
  return (
    <div className="grid grid-cols-1 gap-6 xl:grid-cols-2 xl:items-start">
      <Top title={copy.topAgents} isEmpty={grown.length === 0}>
        <DataTable {...agents} rows={grown} />
      </Top>
      <Top title={copy.topImporters} isEmpty={data.top_importers.length === 0}>
        <DataTable {...importerTable(data)} />
      </Top>
    </div>
  );
}

function Top({ title, isEmpty, children }: { title: string; isEmpty: boolean; children: React.ReactNode }) {
  return (
    <Card aria-label={title}>
      <CardHeader>
        <CardTitle>{title}</CardTitle>
      </CardHeader>
      <CardContent>{isEmpty ? <p className="text-muted-foreground">{copy.empty}</p> : children}</CardContent>
    </Card>
  );
}

/** `214300` → `'$214k'`: an axis has no room for more. */
function shortPrice(value: number): string {
  return value >= 1000 ? `$${Math.round(value / 1000).toLocaleString('en-US')}k` : formatPrice(value);
}
