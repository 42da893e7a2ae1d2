/** An offer from its photos to its end, and what those who saved it see of it. */
import { paths } from '@/config/paths';
import { availableCars, savedCars } from '@/copy/cars';
import { choiceField, editPost, lostSaves, photos } from '@/copy/offers';
import { createPost } from '@/copy/post-form';
import { card, ownPost } from '@/copy/posts';
import { arrive, confirmedPerson } from './support/people';
import { expect, expectAccessible, test } from './support/test';

const DOT = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const photo = (name: string) => ({ name, mimeType: 'image/png', buffer: DOT });

// ACP-020, IMC-013
test('An agent uploads several photos, puts them in order by keyboard and publishes them', async ({
  page,
}) => {
  test.slow();
  await arrive(page, await confirmedPerson('agent'), paths.agent.createPost);
  const model = `Photographed ${Date.now()}`;
  await page.getByLabel(createPost.fields.brand).fill('Toyota');
  await page.getByLabel(createPost.fields.model).fill(model);
  await page.getByLabel(createPost.photo.upload).setInputFiles([photo('front.png'), photo('back.png')]);
  const list = page.getByRole('list', { name: photos.list });
  await expect(list.getByRole('listitem')).toHaveCount(2);
  const cover = page.getByLabel(createPost.fields.imageUrl);
  await expect(cover).toHaveValue(/\/car-images\/[\da-f-]{36}\/.+\.webp$/);
  const first = await cover.inputValue();

  await list.getByRole('button', { name: photos.earlier(2) }).focus();
  await page.keyboard.press('Enter');
  await expect(cover).not.toHaveValue(first);
  await expect(list.getByRole('button', { name: photos.earlier(1) })).toBeFocused();
  await page.getByText(createPost.more.title).click();
  await page.getByLabel(createPost.fields.transmission, { exact: true }).selectOption('CVT');
  await page.getByLabel(createPost.fields.color, { exact: true }).selectOption(choiceField.other);
  await page.getByLabel(choiceField.otherLabel(createPost.fields.color)).fill('Sea green');
  await expectAccessible(page);
  const published = page.waitForRequest(
    (asked) => asked.method() === 'POST' && asked.url().includes('/agent_posts'),
  );
  await page.getByRole('button', { name: createPost.submit }).click();
  const row = (await published).postDataJSON() as { image_url: string; image_urls: string[] };
  expect(row).toMatchObject({ transmission: 'CVT', color: 'Sea green' });
  expect(row.image_urls).toEqual([row.image_url, first]);
  await expect(page).toHaveURL(paths.agent.dashboard);
  await page.goto(paths.agent.feed);
  const shown = page.getByRole('article', { name: `Toyota ${model}` }).getByRole('img', { name: model });
  await expect(shown).toHaveJSProperty('complete', true);
});

// IMSV-001
test('A saved car stays saved when its agent edits it, and leaves its name when it is deleted', async ({
  page,
  browser,
}) => {
  test.slow();
  const context = await browser.newContext();
  const agent = await context.newPage();
  await arrive(agent, await confirmedPerson('agent'));
  const model = `Edited ${Date.now()}`;
  await agent.goto(paths.agent.createPost);
  await agent.getByLabel(createPost.fields.brand).fill('Toyota');
  await agent.getByLabel(createPost.fields.model).fill(model);
  await agent.getByLabel(createPost.fields.price).fill('12000');
  await agent.getByRole('button', { name: createPost.submit }).click();
  await expect(agent).toHaveURL(paths.agent.dashboard);

  await arrive(page, await confirmedPerson('importer'), paths.importer.feed);
  const offer = page.getByRole('article', { name: `Toyota ${model}` });
  await offer.getByRole('button', { name: `${card.save} Toyota ${model}` }).click();
  await expect(offer.getByRole('button', { name: `${card.saved} Toyota ${model}` })).toBeVisible();

  await agent.goto(paths.agent.feed);
  const own = agent.getByRole('article', { name: `Toyota ${model}` });
  await own.getByRole('link', { name: ownPost.edit }).click();
  await agent.getByLabel(createPost.fields.price).fill('9900');
  await expectAccessible(agent);
  await agent.getByRole('button', { name: editPost.submit }).click();
  await expect(agent.getByText(editPost.success.text)).toBeVisible();
  const saved = page.getByRole('article', { name: `Toyota ${model}` });
  await page.goto(paths.importer.savedCars);
  await expect(saved).toContainText('$9,900');

  // The car's own address opens it for the importer, and for the agent, each in their area.
  await saved.getByRole('link', { name: `Toyota ${model}` }).click();
  await expect(page).toHaveURL(/\/importer\/available-cars\?car=/);
  const id = new URL(page.url()).searchParams.get('car') ?? '';
  await expect(page.getByRole('dialog', { name: `Toyota ${model}` })).toContainText('$9,900');
  await expect(page.getByRole('dialog').getByRole('link', { name: availableCars.contact })).toHaveAttribute(
    'href',
    new RegExp(`\\?agent=.+&post=${id}$`),
  );
  await agent.goto(paths.car(id));
  await expect(agent).toHaveURL(`${paths.agent.feed}?car=${id}`);
  await expect(agent.getByRole('dialog', { name: `Toyota ${model}` })).toBeVisible();
  await agent.keyboard.press('Escape');

  await own.getByRole('button', { name: ownPost.delete }).click();
  await agent.getByRole('alertdialog').getByRole('button', { name: ownPost.delete }).click();
  await expect(agent.getByText(ownPost.deleted.title)).toBeVisible();
  await context.close();
  await page.goto(paths.importer.savedCars);
  await expect(page.getByText(lostSaves.text(`Toyota ${model}`))).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: lostSaves.dismiss }).click();
  await expect(page.getByText(lostSaves.text(`Toyota ${model}`))).toBeHidden();
  await expect(page.getByText(savedCars.empty.title)).toBeVisible();
});
