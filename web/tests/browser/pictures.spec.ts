/** Photos on their way from a camera into the storage, and from there onto a phone. */
import type { Page } from '@playwright/test';
import { paths } from '@/config/paths';
import { app } from '@/copy/app';
import { photos } from '@/copy/offers';
import { createPost } from '@/copy/post-form';
import { ownProfile } from '@/copy/profiles';
import { validation } from '@/copy/validation';
import { arrive, confirmedPerson, seededPerson } from './support/people';
import { cameraPhoto, lookInto } from './support/photos';
import { serverInfo } from './support/server';
import { expect, expectAccessible, test } from './support/test';

const jpeg = (name: string, buffer: Buffer) => ({ name, mimeType: 'image/jpeg', buffer });
const input = (page: Page) => page.getByLabel(createPost.photo.upload);
const tray = (page: Page) => page.getByRole('list', { name: photos.list }).getByRole('listitem');

/** What lies in the storage under the address that the form shows. */
async function stored(address: string): Promise<Buffer> {
  const { site, url } = serverInfo();
  return Buffer.from(await (await fetch(address.replace(site, url))).arrayBuffer());
}

test('A photo is stored upright, no larger than it is looked at, and says nothing of where it was taken', async ({
  page,
}) => {
  test.slow();
  await arrive(page, await confirmedPerson('agent'), paths.agent.createPost);
  const photo = cameraPhoto();
  expect(lookInto(photo)).toMatchObject({ size: [3000, 2000], isNamed: true });
  expect(lookInto(photo).tags).toBeGreaterThan(4);
  await input(page).setInputFiles([jpeg('car.jpg', photo), jpeg('letter.jpg', Buffer.from('Dear buyer'))]);
  await expect(tray(page)).toHaveCount(1);
  await expect(page.getByText(photos.refused('letter.jpg', validation.picture))).toBeVisible();
  await expect(page.getByRole('button', { name: photos.retry('letter.jpg') })).toHaveCount(0);
  await expectAccessible(page);

  const address = await page.getByLabel(createPost.fields.imageUrl).inputValue();
  expect(lookInto(await stored(address))).toEqual({
    format: 'WEBP',
    size: [1600, 2400],
    tags: 0,
    isNamed: false,
    top: 'red',
    bottom: 'other',
  });
  await page.getByRole('button', { name: photos.leaveOut('letter.jpg') }).click();
  await expect(page.getByText(validation.picture)).toBeHidden();
});

test('An avatar keeps its one path and says nothing of where it was taken', async ({ page }) => {
  await arrive(page, await confirmedPerson('importer'), paths.importer.profile);
  await page.getByRole('button', { name: ownProfile.edit }).click();
  const chooser = page.getByLabel(ownProfile.picture);
  await chooser.setInputFiles(jpeg('me.jpg', Buffer.from('Dear team')));
  await expect(page.getByText(validation.picture)).toBeVisible();
  await chooser.setInputFiles(jpeg('me.jpg', cameraPhoto()));
  await expect(page.getByText(validation.picture)).toBeHidden();
  const saved = page.waitForRequest(
    (request) => request.method() === 'PATCH' && request.url().includes('/profiles'),
  );
  await page.getByRole('button', { name: ownProfile.save }).click();
  const { avatar_url: address } = (await saved).postDataJSON() as { avatar_url: string };
  expect(address).toMatch(/\/avatar\.jpg\?v=\d+$/);
  await expect(page.getByText(ownProfile.updated.text)).toBeVisible();
  const picture = lookInto(await stored(address));
  expect(picture).toMatchObject({ format: 'JPEG', size: [683, 1024], tags: 0, isNamed: false });
});

test.describe('on a line that breaks', () => {
  test.use({ refusals: [/upload\/sign/] });

  test('A photo that did not arrive is sent again at a press, and the others stand in their order', async ({
    page,
  }) => {
    test.slow();
    await arrive(page, await confirmedPerson('agent'), paths.agent.createPost);
    let broken = 0;
    await page.route('**/object/upload/sign/**', (route) =>
      route.request().method() === 'PUT' && broken++ === 0 ? route.abort() : route.fallback(),
    );
    await input(page).setInputFiles(
      ['a.jpg', 'b.jpg', 'c.jpg'].map((name, at) => jpeg(name, cameraPhoto(at))),
    );
    await expect(tray(page)).toHaveCount(2);
    const again = page.getByRole('button', { name: /^Try [abc]\.jpg again$/ });
    await again.click();
    await expect(tray(page)).toHaveCount(3);
    await expect(again).toHaveCount(0);
    await expect(page.getByText(photos.hint(30))).toBeVisible();
  });
});

test('A phone loads of a photo what it shows, and nothing moves when it comes', async ({
  page,
  newWindow,
}) => {
  test.slow();
  await arrive(page, await confirmedPerson('agent'), paths.agent.createPost);
  const model = `Measured ${Date.now()}`;
  await page.getByLabel(createPost.fields.brand).fill('Toyota');
  await page.getByLabel(createPost.fields.model).fill(model);
  await input(page).setInputFiles(jpeg('car.jpg', cameraPhoto()));
  await expect(tray(page)).toHaveCount(1);
  const address = await page.getByLabel(createPost.fields.imageUrl).inputValue();
  const original = (await stored(address)).length;
  await page.getByRole('button', { name: createPost.submit }).click();
  await expect(page).toHaveURL(paths.agent.dashboard);

  const phone = await newWindow();
  await phone.setViewportSize({ width: 390, height: 844 });
  await phone.addInitScript(() => {
    const seen = { shift: 0 };
    Object.assign(window, { seen });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[])
        seen.shift += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  const asked: string[] = [];
  phone.on('request', (request) => {
    if (request.url().includes('/storage/v1/')) asked.push(new URL(request.url()).pathname);
  });
  await arrive(
    phone,
    seededPerson('importer'),
    `${paths.importer.availableCars}?search=${encodeURIComponent(model)}`,
  );
  const picture = phone.getByRole('img', { name: `Toyota ${model}` });
  await expect(picture).not.toHaveJSProperty('naturalWidth', 0);
  expect(await picture.evaluate((image: HTMLImageElement) => image.currentSrc)).toContain(
    'width=640&height=480',
  );
  expect(await picture.evaluate((image) => image.style.backgroundImage)).toContain('data:image/bmp');
  expect(asked.filter((path) => !path.startsWith('/storage/v1/render/image/public/'))).toEqual([]);
  const shown = await picture.evaluate((image: HTMLImageElement) =>
    fetch(image.currentSrc)
      .then((answer) => answer.blob())
      .then(({ size, type }) => ({ size, type })),
  );
  expect(shown.type).toBe('image/webp');
  expect(shown.size * 4).toBeLessThan(original);
  const box = await picture.boundingBox();
  expect((box?.width ?? 0) / (box?.height ?? 1)).toBeCloseTo(4 / 3, 1);
  expect(
    await phone.evaluate(() => (window as unknown as { seen: { shift: number } }).seen.shift),
  ).toBeLessThan(0.02);
  await expect(phone.getByText(app.notSupplied)).toHaveCount(0);
});
