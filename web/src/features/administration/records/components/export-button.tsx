/** Writes every row that matches into a file, also those that are not shown yet. */
import { Download } from 'lucide-react';
import { useState } from 'react';
import { BusyButton } from '@/components/ui/busy-button';
import { csvFile as copy } from '@/copy/back-office-csv';
import { useIsPhone } from '@/hooks/use-media-query';
import { downloadCsv } from '@/lib/csv';
import { messageOf } from '@/lib/errors';
import { toastError } from '@/lib/toast';

interface ExportButtonProps {
  /** What the file is named after. */
  list: string;
  readCsv: () => Promise<string>;
}

export function ExportButton({ list, readCsv }: ExportButtonProps) {
  const isPhone = useIsPhone();
  const [isBusy, setBusy] = useState(false);
  const write = async () => {
    setBusy(true);
    try {
      downloadCsv(copy.name(list, new Date().toISOString().slice(0, 10)), await readCsv());
    } catch (error) {
      toastError(copy.failed, messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <BusyButton
      variant="outline"
      busy={isBusy}
      busyText={isPhone ? '…' : copy.exporting}
      onClick={() => void write()}
      className="max-sm:px-3.5"
    >
      <Download aria-hidden />
      <span className="max-sm:sr-only">{copy.export}</span>
    </BusyButton>
  );
}
