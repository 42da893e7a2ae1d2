/** Bars with their values written on them, and the same figures as a table at the press of a button. */
import { useState } from 'react';
import { Bar, BarChart, CartesianGrid, LabelList, ResponsiveContainer, XAxis, YAxis } from 'recharts';
import { Button } from '@/components/ui/button';
import { Card, CardContent, CardHeader, CardTitle } from '@/components/ui/card';
import { analytics as copy } from '@/copy/back-office-figures';
import { useIsPhone } from '@/hooks/use-media-query';
import { DataTable, type Figures } from './data-table';

export interface FigureBar {
  label: string;
  /** What an axis has room for on a phone. */
  short?: string;
  value: number;
}

interface BarFigureProps {
  id: string;
  title: string;
  note?: string;
  bars: readonly FigureBar[];
  /** The end of the scale; the highest bar when left out. */
  max?: number;
  format: (value: number) => string;
  /** Rows lie, columns stand: names that are long need rows. */
  direction: 'rows' | 'columns';
  table: Figures;
}

export function BarFigure({ id, title, note, table, ...chart }: BarFigureProps) {
  const [asTable, setAsTable] = useState(false);
  const isEmpty = chart.bars.every((bar) => bar.value === 0);
  return (
    <Card aria-labelledby={id}>
      <CardHeader>
        <CardTitle id={id}>{title}</CardTitle>
        <Button size="small" variant="outline" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
          {asTable ? copy.asChart : copy.asTable}
        </Button>
      </CardHeader>
      <CardContent>
        {isEmpty ? (
          <p className="text-muted-foreground">{copy.empty}</p>
        ) : asTable ? (
          <DataTable {...table} />
        ) : (
          <Bars title={title} {...chart} />
        )}
        {note && !isEmpty && <p className="mt-3 text-small text-muted-foreground">{note}</p>}
      </CardContent>
    </Card>
  );
}

type BarsProps = Omit<BarFigureProps, 'id' | 'note' | 'table'>;

const ROW = 40;
/** More bars than this leave no room for a figure each on a phone. */
const LABELLED = 12;
/** The highest bar stands out. */
const LOWER = 'color-mix(in srgb, var(--chart-1) 62%, var(--card))';
const TICK = { fill: 'var(--muted-foreground)', fontSize: 13 };

function Bars({ title, bars, max, format, direction }: BarsProps) {
  const isRows = direction === 'rows';
  const isPhone = useIsPhone();
  const hasLabels = !isPhone || bars.length <= LABELLED;
  const labels = isPhone ? 'short' : 'label';
  const highest = Math.max(...bars.map(({ value }) => value));
  // a number, because a scale that asks the bars may be drawn before they are known
  const scale = [0, max ?? highest];
  const said = bars.map(({ label, value }) => `${label} ${format(value)}`).join(', ');
  return (
    <div role="img" aria-label={`${title}: ${said}`}>
      <ResponsiveContainer width="100%" height={isRows ? bars.length * ROW + 16 : 320}>
        <BarChart
          data={bars.map((bar) => ({
            ...bar,
            short: bar.short ?? bar.label,
            fill: bar.value === highest ? 'var(--chart-1)' : LOWER,
          }))}
          layout={isRows ? 'vertical' : 'horizontal'}
          margin={
            isRows ? { left: 0, right: 72, top: 0, bottom: 0 } : { left: 0, right: 0, top: 24, bottom: 0 }
          }
          accessibilityLayer={false}
        >
          <CartesianGrid stroke="var(--border)" vertical={isRows} horizontal={!isRows} />
          {isRows ? (
            <>
              <XAxis type="number" domain={scale} hide />
              <YAxis
                type="category"
                dataKey="label"
                width={132}
                tick={TICK}
                axisLine={false}
                tickLine={false}
                interval={0}
              />
            </>
          ) : (
            <>
              <XAxis
                type="category"
                dataKey={labels}
                tick={TICK}
                axisLine={false}
                tickLine={false}
                interval="preserveStartEnd"
              />
              <YAxis
                type="number"
                domain={scale}
                width={72}
                tick={TICK}
                axisLine={false}
                tickLine={false}
                tickFormatter={format}
              />
            </>
          )}
          <Bar dataKey="value" maxBarSize={isRows ? 20 : 56} isAnimationActive={false}>
            {hasLabels && (
              <LabelList
                dataKey="value"
                position={isRows ? 'right' : 'top'}
                formatter={(value) => format(Number(value))}
                fill="var(--foreground)"
                fontSize={13}
                // no line of the grid runs through a figure
                stroke="var(--card)"
                strokeWidth={4}
                paintOrder="stroke"
              />
            )}
          </Bar>
        </BarChart>
      </ResponsiveContainer>
    </div>
  );
}
