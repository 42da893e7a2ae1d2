/** The screen on which an agent imports a whole list of cars. */
import { offerFields } from './offers';
import { createPost } from './post-form';

const { fields } = createPost;

export const importOffers = {
  title: 'Import from CSV',
  lead: 'Add your stock from a spreadsheet. You see what will happen before anything is added.',
  file: {
    label: 'CSV file',
    text: 'Save your list as CSV and choose it here. One car in each row; the first row names the columns.',
    limits: 'Up to 5,000 cars and 2 MB. Commas, semicolons or tabs; UTF-8 or Shift-JIS.',
    checking: (name: string) => `Reading ${name}...`,
    template: 'Download a template',
    templateName: 'minato-stock.csv',
    unreadable: 'The file could not be read. It may have changed since you chose it: choose it again.',
    refused: (name: string) => `${name} was not imported`,
    type: 'Choose a CSV file. A spreadsheet program saves one with "Save as" or "Download".',
  },
  columns: {
    title: 'Columns',
    text: 'Brand and model are needed; everything else may stay empty. Other usual names are understood too, in English and Japanese, such as Maker, Ref No or Odometer. Columns that mean nothing here are left out.',
    stockNo:
      'With stock numbers you may import a longer list again and again: cars that are there already are not added twice. Without them a car is known by its brand, model, year, mileage and the like.',
  },
  preview: {
    title: (name: string) => `What will happen with ${name}`,
    all: 'In the list',
    allHint: 'Rows with something in them',
    new: 'To be added',
    newHint: 'As available offers, unless the list says otherwise',
    there: 'Already there',
    thereHint: 'Left as they are',
    wrong: 'With mistakes',
    wrongHint: 'Left out until the list is mended',
    ignored: (names: string) => `These columns are not read: ${names}.`,
    shiftJis: 'Read as Shift-JIS. If letters look wrong, save the list as UTF-8.',
    latin: 'Read as Western European text. If letters look wrong, save the list as UTF-8.',
    submit: (count: number) =>
      count === 1 ? 'Import 1 car' : `Import ${count.toLocaleString('en-US')} cars`,
    busy: 'Importing...',
    importing: 'Your cars are being added. This can take a moment.',
    nothing: 'There is nothing to add.',
    other: 'Choose another file',
  },
  rows: {
    wrong: 'Rows with mistakes',
    failed: 'Rows that were not added',
    new: 'Cars to be added',
    there: 'Cars that are there already',
    number: (row: number) => `Row ${row}`,
    nameless: 'A car without a name',
    problem: (column: string, text: string) => `${column}: ${text}`,
  },
  result: {
    title: (count: number) => (count === 1 ? '1 car added' : `${count.toLocaleString('en-US')} cars added`),
    text: (there: number, wrong: number) =>
      [
        there > 0 && `${there.toLocaleString('en-US')} there already`,
        wrong > 0 && `${wrong.toLocaleString('en-US')} with mistakes left out`,
      ]
        .filter(Boolean)
        .join(', '),
    partly: (count: number) =>
      count === 1 ? '1 car was not added' : `${count.toLocaleString('en-US')} cars were not added`,
    retry: 'Try those again',
    feed: 'See the feed',
    another: 'Import another list',
  },
  unavailable:
    'This server cannot import lists at the moment. You can still add cars one by one; our support can tell when it works again.',
  failed: 'The list could not be imported',
  retry: 'Try again',
} as const;

/** The columns of a list by the name of the field, in the order of the template, each with an example. */
export const importColumns = {
  stock_no: ['Stock No', 'M-1042'],
  car_name: [fields.brand, 'Toyota'],
  model: [fields.model, 'Aqua'],
  variant: [fields.variant, 'S'],
  year: [fields.year, '2017'],
  mileage_km: [fields.mileage, '85000'],
  cnf_price: [fields.price, '4900'],
  engine_size: [fields.engineSize, '1.5L'],
  transmission: [fields.transmission, 'Automatic'],
  fuel_type: [fields.fuel, 'Hybrid'],
  drivetrain: [fields.drivetrain, 'FWD'],
  color: [fields.color, 'Pearl white'],
  body: [offerFields.body, 'Hatchback'],
  condition: [fields.condition, 'Used'],
  location: [fields.location, 'Yokohama'],
  availability_status: [fields.availability, 'Available'],
  auction_date: [fields.auctionDate, ''],
  features: [fields.features, 'Navigation; Reversing camera'],
  description: [fields.description, 'One owner, grade 4.5'],
  image_urls: ['Photos', ''],
} as const satisfies Record<string, readonly [label: string, example: string]>;
