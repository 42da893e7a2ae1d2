/** The four tabs of the analytics. */
import { useState, type ReactNode } from 'react';
import { Button } from '@/components/ui/button';
import { Card, CardContent, CardHeader, CardTitle } from '@/components/ui/card';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui/tabs';
import { analytics as copy } from '@/copy/back-office-figures';
import { countryName } from '@/lib/country';
import { formatPrice } from '@/lib/format';
import { useSearchState } from '@/lib/search-params';
import { analyticsSearch, type Analytics } from '../data/analytics-query';
import { agentTable, categoryTable, countryTable, figuresOf, importerTable, trendTable } from '../report';
import { barName, scaleOf, shortBarName } from '../trend';
import { Growth } from './analytics-cards';
import { BarFigure } from './bar-figure';
import { DataTable } from './data-table';

const COUNTRIES = 12;

type View = keyof typeof copy.tabs;

export function AnalyticsTabs({ data }: { data: Analytics }) {
  const [{ view }, setSearch] = useSearchState(analyticsSearch);
  return (
    <Tabs value={view} onValueChange={(next) => setSearch({ view: next as View })}>
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
  const { trend } = data;
  const max = scaleOf(trend);
  return (
    <div className="grid grid-cols-1 gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)] lg:items-start">
      <BarFigure
        id="trend"
        title={copy.trends[trend.step]}
        note={copy.trendScale(formatPrice(max))}
        bars={trend.bars.map((bar) => ({
          label: barName(trend, bar),
          short: shortBarName(trend, bar),
          value: bar.revenue,
        }))}
        max={max}
        format={shortPrice}
        direction="columns"
        table={figuresOf(trendTable(data))}
      />
      <Activity activity={data.activity} />
    </div>
  );
}

function Activity({ activity: figures }: { activity: Analytics['activity'] }) {
  const { activity } = copy;
  return (
    <Card aria-labelledby="activity">
      <CardHeader>
        <CardTitle id="activity">{activity.title}</CardTitle>
      </CardHeader>
      <dl className="divide-y">
        {(['daily_active_users', 'new_registrations', 'active_conversations'] as const).map((name) => (
          <div key={name} className="flex flex-col-reverse px-4 py-4 sm:px-5">
            <dt className="text-muted-foreground">{activity[name]}</dt>
            <dd className="font-heading text-h1 figures">{figures[name].toLocaleString('en-US')}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

function Geographic({ data }: { data: Analytics }) {
  const [isWhole, setWhole] = useState(false);
  const table = figuresOf(countryTable(data));
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
        <CardContent className="space-y-3">
          <DataTable {...table} rows={isWhole ? table.rows : table.rows.slice(0, COUNTRIES)} />
          {table.rows.length > COUNTRIES && (
            <Button variant="outline" size="small" onClick={() => setWhole(!isWhole)}>
              {isWhole ? copy.showTop(COUNTRIES) : copy.showAll(table.rows.length)}
            </Button>
          )}
        </CardContent>
      </Card>
    </div>
  );
}

function Categories({ data }: { data: Analytics }) {
  const table = figuresOf(categoryTable(data));
  return (
    <div className="space-y-6">
      <BarFigure
        id="categories"
        title={copy.categories}
        bars={data.by_category.map((row) => ({ label: row.category, value: row.value }))}
        format={formatPrice}
        direction="rows"
        table={table}
      />
      <Card>
        <CardContent>
          <DataTable {...table} />
        </CardContent>
      </Card>
    </div>
  );
}

function Performers({ data }: { data: Analytics }) {
  const agents = figuresOf(agentTable(data));
  const grown = agents.rows.map((row, index) => [
    ...row.slice(0, -1),
    <Growth key={index} growth={data.top_agents[index]?.growth ?? null} />,
  ]);
  return (
    <div className="grid grid-cols-1 gap-6 xl:grid-cols-2 xl:items-start">
      <Top title={copy.topAgents} isEmpty={grown.length === 0}>
        <DataTable {...agents} rows={grown} />
      </Top>
      <Top title={copy.topImporters} isEmpty={data.top_importers.length === 0}>
        <DataTable {...figuresOf(importerTable(data))} />
      </Top>
    </div>
  );
}

function Top({ title, isEmpty, children }: { title: string; isEmpty: boolean; children: ReactNode }) {
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
